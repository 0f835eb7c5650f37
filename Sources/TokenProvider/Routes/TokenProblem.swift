import FleetEngineToken
import HTTPServer

/// Why a well-formed request gets no token: the one table of status, stable code and sentence.
enum TokenProblem: Error {
    case unknownPath
    case methodNotAllowed(allowed: String)
    case missingID
    case invalidID(parameter: String, FleetEngineIDError)
    case repeatedParameter(String)
    case conflictingParameters(String, String)
    case unknownParameter(String)
    case emptyParameter
    case malformedEncoding(String)
    case invalidExpiration
    case kindOff(TokenKind)
    case signingUnavailable

    var status: HTTPStatus { rule.status }

    /// The stable word by which programs know the reason.
    var code: String { rule.code }

    /// One sentence for the client: what was wrong and what was expected.
    var detail: String { rule.detail }

    private var rule: (status: HTTPStatus, code: String, detail: String) {
        switch self {
        case .unknownPath:
            (.notFound, "unknown_path", "There is nothing at this path; expected /token or /healthz.")
        case .methodNotAllowed(let allowed):
            (.methodNotAllowed, "method_not_allowed", "The method is not allowed at this path; expected \(allowed).")
        case .missingID:
            (.badRequest, "missing_id", "The query names no trip and no vehicle; expected tripID=ID or vehicleID=ID.")
        case .invalidID(let parameter, let error):
            (.badRequest, "invalid_id", "\(parameter): \(error.sentence).")
        case .repeatedParameter(let name):
            (.badRequest, "repeated_parameter", "The query has \(name) more than once; expected it once.")
        case .conflictingParameters(let first, let second):
            (
                .badRequest, "conflicting_parameters",
                "The query has both \(first) and \(second); expected one of them: a token is for one trip or one vehicle."
            )
        case .unknownParameter(let name):
            (
                .badRequest, "unknown_parameter",
                "The query parameter \"\(name)\" is not known; expected tripID, vehicleID or expiration."
            )
        case .emptyParameter:
            (.badRequest, "empty_parameter", "The query has a parameter without a name; expected NAME=VALUE.")
        case .malformedEncoding(let name):
            (
                .badRequest, "malformed_encoding",
                "\(name): the percent-encoding is malformed; expected % and two hexadecimal digits of UTF-8."
            )
        case .invalidExpiration:
            (.badRequest, "invalid_expiration", "expiration: expected absolute or relative.")
        case .kindOff(let kind):
            (
                .notFound, "kind_off",
                "Tokens of the kind \(kind.rawValue) are not served here; the setting kinds.\(kind.rawValue).credentials turns them on."
            )
        case .signingUnavailable:
            (.serviceUnavailable, "signing_unavailable", "No token can be signed at the moment; try again later.")
        }
    }
}
