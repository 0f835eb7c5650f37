import FleetEngineToken
import HTTPServer

/// Why a well-formed request gets no token: the one table of status, stable code and sentence.
enum TokenProblem: Error {
    case unknownPath
    case unknownKind
    case methodNotAllowed(allowed: String)
    case originNotAllowed
    case missingID(TokenKind?)
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
    case kindOff(TokenKind)
    case kindNotListed(TokenKind)
    case callerRequired(TokenKind)
    case signingUnavailable

    var status: HTTPStatus {
        switch self {
        case .unknownPath, .unknownKind, .kindOff, .kindNotListed: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .originNotAllowed, .callerRequired: .forbidden
        case .signingUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }

    /// The stable word by which programs know the reason.
    var code: String { rule.code }

    /// One sentence for the client: what was wrong and what was expected.
    var detail: String { rule.detail }

    private var rule: (code: String, detail: String) {
        switch self {
        case .unknownPath:
            ("unknown_path", "There is nothing at this path; expected /token, /token/KIND/ID or /healthz.")
        case .unknownKind:
            ("unknown_kind", "The path names no kind of token; expected /token/KIND/ID with one of \(Self.kinds).")
        case .methodNotAllowed(let allowed):
            ("method_not_allowed", "The method is not allowed at this path; expected \(allowed).")
        case .originNotAllowed:
            ("origin_not_allowed", "Pages of this origin may not ask; expected one that cors.allowed_origins lists.")
        case .missingID(let kind): ("missing_id", Self.missingID(kind))
        case .invalidID(let place, let error): ("invalid_id", "\(place): \(error.sentence).")
        case .invalidBatch(let place, let error): ("invalid_id", "\(place): \(error.sentence).")
        case .repeatedParameter(let name):
            ("repeated_parameter", "The request has \(name) more than once; expected it once.")
        case .conflictingParameters(let first, let second):
            (
                "conflicting_parameters",
                "The request has both \(first) and \(second); expected one of them, since no token is for both."
            )
        case .foreignParameter(let name, let kind):
            (
                "foreign_parameter",
                "A token of the kind \(kind.rawValue) is not for \(name); expected \(Self.parameters(of: kind))."
            )
        case .unknownParameter(let name):
            (
                "unknown_parameter",
                "The query parameter \"\(name)\" is not known; expected one of \(QueryParameter.names)."
            )
        case .emptyParameter:
            ("empty_parameter", "The query has a parameter without a name; expected NAME=VALUE.")
        case .malformedEncoding(let name):
            (
                "malformed_encoding",
                "\(name): the percent-encoding is malformed; expected % and two hexadecimal digits of UTF-8."
            )
        case .unknownWord(.format): ("invalid_format", "format: expected one of \(AnswerFormat.names).")
        case .unknownWord(let parameter):
            ("invalid_\(parameter.name)", "\(parameter.name): expected absolute or relative.")
        case .foreignExpiration(let format):
            (
                "invalid_expiration",
                "expiration: the format \(format.rawValue) tells it in its own way; expected format=sdk, or no expiration."
            )
        case .kindOff(let kind):
            (
                "kinds.\(kind.rawValue).credentials_unset",
                "Tokens of the kind \(kind.rawValue) are not served here; "
                    + "the setting kinds.\(kind.rawValue).credentials turns them on."
            )
        case .kindNotListed(let kind):
            (
                "kinds.enabled_without_\(kind.rawValue)",
                "Tokens of the kind \(kind.rawValue) are not served here; "
                    + "naming the kind in the setting kinds.enabled turns them on."
            )
        case .callerRequired(let kind):
            (
                "caller_required",
                "Tokens of the kind \(kind.rawValue) open everything; expected an authenticated caller whom a rule allows them."
            )
        case .signingUnavailable:
            ("signing_unavailable", "No token can be signed at the moment; try again later.")
        }
    }

    private static let kinds = TokenKind.allCases.map(\.rawValue).joined(separator: ", ")

    private static func missingID(_ kind: TokenKind?) -> String {
        guard let kind else {
            return
                "The query names nothing that a token is for; expected tripID=ID, vehicleID=ID, deliveryVehicleID=ID, "
                + "trackingID=ID, taskID=ID or taskIDs=ID,ID."
        }
        return "The path names no id; expected /token/\(kind.rawValue)/ID."
    }

    private static func parameters(of kind: TokenKind) -> String {
        switch kind {
        case .trustedDeliveryDriver: "deliveryVehicleID, and taskID if there is one"
        case .deliveryConsumer: "trackingID or taskID"
        default: kind.pathParameter?.name ?? "no id"
        }
    }
}
