/// The result of a request: a token, or one of the problems. It has the one table of problem codes: what clients, the
/// access log, the audit log and metrics call a problem comes from here.
package enum RequestOutcome: Int, CaseIterable, Sendable {
    /// An answer without a token that reports no problem.
    case answered
    /// A cached token.
    case reused
    /// A token that was signed for the request.
    case minted
    case unknownPath, unknownKind, methodNotAllowed, originNotAllowed
    case missingID, invalidID, repeatedParameter, conflictingParameters, foreignParameter, unknownParameter
    case emptyParameter, invalidFormat, invalidExpiration, kindOff
    case unauthenticated, invalidCredentials, notAllowed, callerRequired, checkUnavailable
    case addressLimited, principalLimited, failuresLimited
    case auditUnavailable, signingUnavailable
    case reloadFieldMissing, consoleHeaderMissing, hostNotAllowed

    /// The stable code of a problem; empty if there was none.
    package var code: String {
        switch self {
        case .answered, .reused, .minted: ""
        case .unknownPath: "unknown_path"
        case .unknownKind: "unknown_kind"
        case .methodNotAllowed: "method_not_allowed"
        case .originNotAllowed: "origin_not_allowed"
        case .missingID: "missing_id"
        case .invalidID: "invalid_id"
        case .repeatedParameter: "repeated_parameter"
        case .conflictingParameters: "conflicting_parameters"
        case .foreignParameter: "foreign_parameter"
        case .unknownParameter: "unknown_parameter"
        case .emptyParameter: "empty_parameter"
        case .invalidFormat: "invalid_format"
        case .invalidExpiration: "invalid_expiration"
        // Clients get the setting that is missing instead, which names the kind; in metrics the kind is a label of its own.
        case .kindOff: "kind_off"
        case .unauthenticated: "unauthenticated"
        case .invalidCredentials: "invalid_credentials"
        case .notAllowed: "not_allowed"
        case .callerRequired: "caller_required"
        case .checkUnavailable: "caller_check_unavailable"
        case .addressLimited, .principalLimited, .failuresLimited: "too_many_requests"
        case .auditUnavailable: "audit_unavailable"
        case .signingUnavailable: "signing_unavailable"
        case .reloadFieldMissing: "reload_field_missing"
        case .consoleHeaderMissing: "console_header_missing"
        case .hostNotAllowed: "host_not_allowed"
        }
    }
}
