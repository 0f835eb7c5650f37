import FleetEngineToken
import HTTPServer
import ServiceConfiguration

/// Why a well-formed request gets no token: with its status, outcome and code; `detail` is its sentence.
package enum TokenProblem: Error {
    case unknownPath
    /// On the admin listener, which has its own paths.
    case unknownAdminPath
    case unknownKind
    case methodNotAllowed(allowed: String)
    case originNotAllowed
    case reloadFieldMissing
    /// A question of the console without the header that only its own page can send.
    case consoleHeaderMissing
    /// On the admin listener, whose clients name a host that it does not know.
    case hostNotAllowed
    case missingID(TokenKind?, called: String?)
    case invalidID(place: String, FleetEngineIDError)
    case invalidBatch(place: String, TaskBatchError)
    case repeatedParameter(String)
    case conflictingParameters(String, String)
    case foreignParameter(String, TokenKind)
    case unknownParameter(String)
    case emptyParameter
    case unknownWord(QueryParameter)
    case foreignExpiration(AnswerFormat)
    case kindOff(TokenKind, KindAbsence)
    case caller(CallerProblem)
    /// The seconds after which another try may succeed; nil for the usual ones.
    case signingUnavailable(retryAfter: Int? = nil)

    package var status: HTTPStatus {
        switch self {
        case .unknownPath, .unknownAdminPath, .unknownKind, .kindOff: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .originNotAllowed, .reloadFieldMissing, .consoleHeaderMissing, .hostNotAllowed: .forbidden
        case .caller(let problem): problem.status
        case .signingUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }

    /// The outcome as metrics count it; `limit` is the limit that the request exceeded.
    package func outcome(by limit: RequestLimits.Limit? = nil) -> RequestOutcome {
        switch self {
        case .unknownPath, .unknownAdminPath: .unknownPath
        case .unknownKind: .unknownKind
        case .methodNotAllowed: .methodNotAllowed
        case .originNotAllowed: .originNotAllowed
        case .reloadFieldMissing: .reloadFieldMissing
        case .consoleHeaderMissing: .consoleHeaderMissing
        case .hostNotAllowed: .hostNotAllowed
        case .missingID: .missingID
        case .invalidID, .invalidBatch: .invalidID
        case .repeatedParameter: .repeatedParameter
        case .conflictingParameters: .conflictingParameters
        case .foreignParameter: .foreignParameter
        case .unknownParameter: .unknownParameter
        case .emptyParameter: .emptyParameter
        case .unknownWord(.format): .invalidFormat
        case .unknownWord, .foreignExpiration: .invalidExpiration
        case .kindOff: .kindOff
        case .caller(let problem): problem.outcome(by: limit)
        case .signingUnavailable: .signingUnavailable
        }
    }

    /// The stable code that clients get. For a kind that is off it names the setting that is missing.
    package var code: String {
        switch self {
        case .kindOff(let kind, .key): "kinds.\(kind.rawValue).credentials_unset"
        case .kindOff(let kind, .listing), .kindOff(let kind, .listingAndKey): "kinds.enabled_without_\(kind.rawValue)"
        default: outcome().code
        }
    }
}
