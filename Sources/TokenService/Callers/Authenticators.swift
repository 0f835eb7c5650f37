import CallerAccess
import Concurrency
import Logging
import StrictJSON

/// Authenticates callers by their credentials: tokens, API keys and certificates.
package final class Authenticators: Sendable {
    /// Nil if no identity provider is configured.
    private let verifier: BearerTokenVerifier?
    /// Fetches issuers' keys, by the issuers' names; issuers whose keys are in files have none.
    private let feeds: [String: KeySetFeed]
    /// Nil if no file of API keys is configured.
    private let apiKeys: APIKeyTable?
    let fields: CredentialFields
    private let unnamed: UnnamedCallerWarning?

    init(
        verifier: BearerTokenVerifier?, feeds: [String: KeySetFeed] = [:], apiKeys: APIKeyTable? = nil,
        fields: CredentialFields = CredentialFields(key: nil), unnamed: UnnamedCallerWarning? = nil
    ) {
        self.unnamed = unnamed
        (self.verifier, self.feeds) = (verifier, feeds)
        (self.apiKeys, self.fields) = (apiKeys, fields)
    }

    /// The principal, if the credentials were verified before or take no time to verify; `now` is in seconds since the epoch.
    /// `excess` may refuse what is not valid.
    func authentication(
        by credentials: CallerCredentials, at now: Int64, unless excess: () -> CallerRefusal?
    ) throws(CallerRefusal) -> Authentication {
        switch credentials {
        case .none: throw .undecided(.unauthenticated, "the request has no credentials")
        case .foreign:
            // The same as none (RFC 6750 section 3.1).
            throw .undecided(.unauthenticated, "the authentication scheme is not Bearer")
        // Final: a back end must not accept invalid credentials because others are beside them.
        case .unusable(let reason): throw CallerRefusal(.invalidCredentials, reason)
        case .certificate(let caller):
            do { return .principal(try caller.principal.get()) } catch { throw excess() ?? error }
        case .token(let bytes, let place):
            guard let verifier else { throw Self.noIssuer }
            let token = BearerToken(bytes, in: place)
            if let known = verifier.knownPrincipal(of: token, at: now) { return .principal(known) }
            return .unverified(token)
        case .apiKey(let key): return .principal(try principal(ofKey: key, at: now, unless: excess))
        }
    }

    /// The principal of a token, which is verified now; that takes as long as the rest of a request.
    func principal(verifying token: BearerToken, at now: Int64) throws(CallerRefusal) -> Principal {
        guard let verifier else { throw Self.noIssuer }
        do throws(BearerTokenRefusal) {
            let principal = try verifier.verifiedPrincipal(of: token, at: now)
            unnamed?.check(principal, now: now)
            return principal
        } catch {
            throw refusal(error)
        }
    }

    /// Each condition of a token, and its claims; empty for other credentials, or if `issuers` is not configured.
    func checks(of credentials: CallerCredentials, at now: Int64) -> (checks: [DecisionCheck], claims: JSONObject) {
        guard case .token(let bytes, let place) = credentials, let verifier else { return ([], [:]) }
        return verifier.checks(of: BearerToken(bytes, in: place), at: now)
    }

    private static var noIssuer: CallerRefusal {
        .undecided(.invalidCredentials, "the request has a bearer token, but issuers is not configured")
    }

    /// If the token's key is missing, a fetch of the issuer's keys decides. A token that only others may know is undecided.
    private func refusal(_ error: BearerTokenRefusal) -> CallerRefusal {
        let problem: CallerProblem = error.fault == .keysMissing ? .checkUnavailable : .invalidCredentials
        return CallerRefusal(
            problem, error.sentence, detail: .token(error),
            feed: error.fault.mayBeOfNewKey ? error.issuer.flatMap { feeds[$0] } : nil,
            isUndecided: error.isOfOthers)
    }

    /// Looking up a key is cheap, so valid keys work even during a flood of wrong ones.
    private func principal(
        ofKey key: [UInt8], at now: Int64, unless excess: () -> CallerRefusal?
    ) throws(CallerRefusal) -> Principal {
        guard let apiKeys else {
            throw .undecided(.invalidCredentials, "the request has an API key, but api_keys.file is not configured")
        }
        do { return try apiKeys.principal(of: key, at: now) } catch {
            throw excess() ?? CallerRefusal(.invalidCredentials, error.sentence)
        }
    }
}

/// The state of an authentication.
enum Authentication: Sendable {
    /// The caller is authenticated.
    case principal(Principal)
    /// The token must be verified first.
    case unverified(BearerToken)
}

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
