import FleetEngineToken
import HTTPServer
import ServiceConfiguration

/// Why a well-formed request gets no token: the one table of status, stable code and sentence.
package enum TokenProblem: Error {
    case unknownPath
    /// At the admin listener, which has paths of its own.
    case unknownAdminPath
    case unknownKind
    case methodNotAllowed(allowed: String)
    case originNotAllowed
    case reloadFieldMissing
    case missingID(TokenKind?, called: String?)
    case invalidID(place: String, FleetEngineIDError)
    case invalidBatch(place: String, TaskBatchError)
    case repeatedParameter(String)
    case conflictingParameters(String, String)
    case foreignParameter(String, TokenKind)
    case unknownParameter(String)
    case emptyParameter
    case malformedEncoding(String)
    case unknownWord(QueryParameter)
    case foreignExpiration(AnswerFormat)
    case kindOff(TokenKind, KindAbsence)
    case caller(CallerProblem)
    case signingUnavailable

    package var status: HTTPStatus {
        switch self {
        case .unknownPath, .unknownAdminPath, .unknownKind, .kindOff: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .originNotAllowed, .reloadFieldMissing: .forbidden
        case .caller(let problem): problem.status
        case .signingUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }

    /// The stable word by which programs know the reason.
    package var code: String {
        switch self {
        case .unknownPath, .unknownAdminPath: "unknown_path"
        case .unknownKind: "unknown_kind"
        case .methodNotAllowed: "method_not_allowed"
        case .originNotAllowed: "origin_not_allowed"
        case .reloadFieldMissing: "reload_field_missing"
        case .missingID: "missing_id"
        case .invalidID, .invalidBatch: "invalid_id"
        case .repeatedParameter: "repeated_parameter"
        case .conflictingParameters: "conflicting_parameters"
        case .foreignParameter: "foreign_parameter"
        case .unknownParameter: "unknown_parameter"
        case .emptyParameter: "empty_parameter"
        case .malformedEncoding: "malformed_encoding"
        case .unknownWord(let parameter): "invalid_\(parameter.name)"
        case .foreignExpiration: "invalid_expiration"
        case .kindOff(let kind, .key): "kinds.\(kind.rawValue).credentials_unset"
        case .kindOff(let kind, .listing), .kindOff(let kind, .listingAndKey): "kinds.enabled_without_\(kind.rawValue)"
        case .caller(let problem): problem.code
        case .signingUnavailable: "signing_unavailable"
        }
    }
}
