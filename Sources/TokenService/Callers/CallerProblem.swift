import FleetEngineToken
import HTTPServer

/// Why a caller gets no token, as much of it as a stranger may know; the log and the audit hold the rest.
package enum CallerProblem: Error, Equatable {
    /// Nothing that proves who is calling.
    case unauthenticated
    /// Something that does not prove it.
    case invalidCredentials
    /// No rule allows this token to this caller.
    case notAllowed
    /// The same of one who showed nothing that a challenge asks for.
    case strangerNotAllowed
    /// The kind opens everything, and nobody is asked who they are.
    case callerRequired(TokenKind)
    /// Too many requests; again after so many seconds.
    case limited(retryAfter: Int64)
    /// Who is calling, or what they may have, cannot be found out at the moment.
    case checkUnavailable
    /// No record can be kept at the moment, and nothing is handed out without one.
    case auditUnavailable

    var status: HTTPStatus {
        switch self {
        case .unauthenticated, .invalidCredentials: .unauthorized
        case .notAllowed, .strangerNotAllowed, .callerRequired: .forbidden
        case .limited: .tooManyRequests
        case .checkUnavailable, .auditUnavailable: .serviceUnavailable
        }
    }

    /// What the audit trail calls it.
    var outcome: AuditRecord.Outcome {
        switch self {
        case .unauthenticated, .invalidCredentials: .unauthenticated
        case .notAllowed, .strangerNotAllowed, .callerRequired: .denied
        case .limited: .limited
        case .checkUnavailable, .auditUnavailable: .failed
        }
    }

    /// The stable word by which programs know the reason.
    var code: String {
        switch self {
        case .unauthenticated: "unauthenticated"
        case .invalidCredentials: "invalid_credentials"
        case .notAllowed, .strangerNotAllowed: "not_allowed"
        case .callerRequired: "caller_required"
        case .limited: "too_many_requests"
        case .checkUnavailable: "caller_check_unavailable"
        case .auditUnavailable: "audit_unavailable"
        }
    }

    /// One sentence for the client.
    var detail: String {
        switch self {
        case .unauthenticated: "The request does not say who is calling; expected Authorization: Bearer."
        case .invalidCredentials: "The credentials are not accepted; expected ones that are valid now."
        case .notAllowed, .strangerNotAllowed: "This caller may not have this token."
        case .callerRequired(let kind):
            "Tokens of the kind \(kind.rawValue) open everything; expected an authenticated caller whom a rule allows them."
        case .limited: "There are too many requests; try again after the seconds of Retry-After."
        case .checkUnavailable: "Callers cannot be checked at the moment; try again later."
        case .auditUnavailable: "No token can be handed out at the moment; try again later."
        }
    }

    /// Fields that go with the status: a challenge (RFC 6750 section 3), or when to come back.
    var fields: [(name: String, value: String)] {
        switch self {
        // A request without credentials is told no error code (RFC 6750 section 3.1).
        case .unauthenticated, .strangerNotAllowed: [("WWW-Authenticate", Self.challenge)]
        case .invalidCredentials: [("WWW-Authenticate", "\(Self.challenge), error=\"invalid_token\"")]
        case .notAllowed: [("WWW-Authenticate", "\(Self.challenge), error=\"insufficient_scope\"")]
        case .callerRequired: []
        case .limited(let seconds): [("Retry-After", "\(seconds)")]
        case .checkUnavailable, .auditUnavailable: [("Retry-After", "5")]
        }
    }

    private static let challenge = "Bearer realm=\"token-provider\""
}
