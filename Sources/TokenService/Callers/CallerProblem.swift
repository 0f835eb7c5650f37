import FleetEngineToken
import HTTPServer

/// Why a caller gets no token, as far as an unauthenticated client may know it. Logs and the audit log have the reason.
package enum CallerProblem: Error, Equatable {
    /// The request has no credentials.
    case unauthenticated
    /// The request's credentials are not valid.
    case invalidCredentials
    /// No rule allows this token to this caller.
    case notAllowed
    /// The same for a request without the credentials that a challenge asks for.
    case notAllowedWithoutCredentials
    /// Tokens of the kind open the whole fleet, and the caller is not authenticated.
    case callerRequired(TokenKind)
    /// Too many requests; the client may try again after so many seconds.
    case limited(retryAfter: Int64)
    /// The caller cannot be checked at the moment.
    case checkUnavailable
    /// The record cannot be stored at the moment, and no token is handed out without one.
    case auditUnavailable

    /// The outcome as metrics count it, which has the code; `limit` is the limit that the request exceeded.
    func outcome(by limit: RequestLimits.Limit? = nil) -> RequestOutcome {
        switch self {
        case .unauthenticated: .unauthenticated
        case .invalidCredentials: .invalidCredentials
        case .notAllowed, .notAllowedWithoutCredentials: .notAllowed
        case .callerRequired: .callerRequired
        case .checkUnavailable: .checkUnavailable
        case .auditUnavailable: .auditUnavailable
        case .limited:
            switch limit {
            case .principal: .principalLimited
            case .failures: .failuresLimited
            case .address, nil: .addressLimited
            }
        }
    }

    /// The stable code that clients get.
    var code: String { outcome().code }

    /// Headers for the status: a challenge (RFC 6750 section 3), or when to try again.
    var fields: [(name: String, value: String)] {
        switch self {
        // A request without credentials gets no error code (RFC 6750 section 3.1).
        case .unauthenticated, .notAllowedWithoutCredentials: [("WWW-Authenticate", Self.challenge)]
        case .invalidCredentials: [("WWW-Authenticate", "\(Self.challenge), error=\"invalid_token\"")]
        case .notAllowed: [("WWW-Authenticate", "\(Self.challenge), error=\"insufficient_scope\"")]
        case .callerRequired: []
        case .limited(let seconds): [("Retry-After", "\(seconds)")]
        case .checkUnavailable, .auditUnavailable: [("Retry-After", "5")]
        }
    }

    private static let challenge = "Bearer realm=\"token-provider\""
}
