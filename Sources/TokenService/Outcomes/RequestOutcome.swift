/// What came of a request, as metrics tell it: a token, or one of the problems.
package enum RequestOutcome: Int, CaseIterable, Sendable {
    /// An answer that is no problem and has no token.
    case answered
    /// A token that was kept.
    case reused
    /// A token that was signed for the request.
    case minted
    case unknownPath, unknownKind, methodNotAllowed, originNotAllowed
    case missingID, invalidID, repeatedParameter, conflictingParameters, foreignParameter, unknownParameter
    case emptyParameter, malformedEncoding, invalidFormat, invalidExpiration, kindOff
    case unauthenticated, invalidCredentials, notAllowed, callerRequired, checkUnavailable
    case addressLimited, principalLimited, failuresLimited
    case auditUnavailable, signingUnavailable
    case reloadFieldMissing
    /// The server refused it before any route saw it; `RequestRejection` says why.
    case rejected

    /// What came of a request that got no token.
    package init(_ problem: TokenProblem, by limit: RequestLimits.Limit?) {
        self =
            switch problem {
            case .unknownPath, .unknownAdminPath: .unknownPath
            case .unknownKind: .unknownKind
            case .methodNotAllowed: .methodNotAllowed
            case .originNotAllowed: .originNotAllowed
            case .missingID: .missingID
            case .invalidID, .invalidBatch: .invalidID
            case .repeatedParameter: .repeatedParameter
            case .conflictingParameters: .conflictingParameters
            case .foreignParameter: .foreignParameter
            case .unknownParameter: .unknownParameter
            case .emptyParameter: .emptyParameter
            case .malformedEncoding: .malformedEncoding
            case .unknownWord(.format): .invalidFormat
            case .unknownWord, .foreignExpiration: .invalidExpiration
            case .kindOff: .kindOff
            case .caller(let problem): RequestOutcome(problem, by: limit)
            case .signingUnavailable: .signingUnavailable
            case .reloadFieldMissing: .reloadFieldMissing
            }
    }

    private init(_ problem: CallerProblem, by limit: RequestLimits.Limit?) {
        self =
            switch problem {
            case .unauthenticated: .unauthenticated
            case .invalidCredentials: .invalidCredentials
            case .notAllowed, .strangerNotAllowed: .notAllowed
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

    /// The stable word of a problem, as clients and the log know it; nil if there was none, or the server has it.
    package var code: String? {
        switch self {
        case .answered, .reused, .minted, .rejected: nil
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
        case .malformedEncoding: "malformed_encoding"
        case .invalidFormat: "invalid_format"
        case .invalidExpiration: "invalid_expiration"
        // The setting that a client is told names the kind, which is a label of its own.
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
        }
    }
}
