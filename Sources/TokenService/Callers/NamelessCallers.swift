import CallerAccess
import Locking
import Logging

/// Warns of issuers whose tokens do not name their callers: no limit can tell those apart, nor can a record.
final class NamelessCallers: Sendable {
    /// Seconds from one warning of an issuer to its next.
    static let pause: Int64 = 600

    private let claims: [String: String]
    private let logger: Logger
    private let told = Guarded<[String: Int64]>([:])

    /// Knows the claims that are names.
    init(_ issuers: [IssuerPolicy], logger: Logger) {
        claims = Dictionary(issuers.map { ($0.issuer, $0.principal.text) }) { first, _ in first }
        self.logger = logger
    }

    /// Warns at `now`, in seconds since the epoch, if the caller has no name and its issuer was not warned of lately.
    func look(at principal: Principal, now: Int64) {
        guard principal.name.isEmpty, case .jwt(let issuer) = principal.source, let claim = claims[issuer] else {
            return
        }
        let isDue = told.withLock { told in
            if let last = told[issuer], now - last < Self.pause { return false }
            told[issuer] = now
            return true
        }
        guard isDue else { return }
        logger.warning(
            "a token names nobody, so that its caller has no limit but its address's; expected a text in the claim",
            metadata: ["issuer": "\(issuer)", "claim": "\(claim)"])
    }
}
