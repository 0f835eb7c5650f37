import CallerAccess
import Concurrency
import Logging

/// Warns about issuers whose tokens do not name the caller: limits and the audit log cannot tell such callers apart.
final class UnnamedCallerWarning: Sendable {
    /// Seconds between two warnings about an issuer.
    static let pause: Int64 = 600

    private let claims: [String: String]
    private let logger: Logger
    private let warnings = Guarded<[String: LogInterval]>([:])

    init(_ issuers: [IssuerPolicy], logger: Logger) {
        claims = Dictionary(issuers.map { ($0.issuer, $0.principal.text) }) { first, _ in first }
        self.logger = logger
    }

    /// Warns if the caller has no name, unless its issuer had a warning recently; `now` is in seconds since the epoch.
    func check(_ principal: Principal, now: Int64) {
        guard principal.name.isEmpty, case .jwt(let issuer, _) = principal.source, let claim = claims[issuer] else {
            return
        }
        let isDue = warnings.withLock { $0[issuer, default: LogInterval(seconds: Self.pause)].isDue(at: now) }
        guard isDue else { return }
        logger.warning(
            "a token does not name its caller, who is limited only by address; expected a string in the claim",
            metadata: ["issuer": "\(issuer)", "claim": "\(claim)"])
    }
}
