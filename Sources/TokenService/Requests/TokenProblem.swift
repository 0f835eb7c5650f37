import FleetEngineToken
import HTTPServer
import ServiceConfiguration

/// Why a well-formed request gets no token.
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

    /// Its row in the table of problems, and the words for the gaps in its sentence.
    private var entry: (outcome: RequestOutcome, words: [String]) {
        switch self {
        case .unknownPath: (.unknownPath, ["/token, /token/KIND/ID, /token/KIND or /healthz"])
        case .unknownAdminPath: (.unknownPath, ["one of \(AdminPath.names)"])
        case .unknownKind: (.unknownKind, [TokenPath.kindNames])
        case .methodNotAllowed(let allowed): (.methodNotAllowed, [allowed])
        case .originNotAllowed: (.originNotAllowed, [])
        case .reloadFieldMissing: (.reloadFieldMissing, [])
        case .consoleHeaderMissing: (.consoleHeaderMissing, [])
        case .hostNotAllowed: (.hostNotAllowed, [])
        case .missingID(nil, _): (.missingID, ["query names nothing that a token is for", IDParameter.examples])
        case .missingID(let kind?, let name): (.missingID, ["path names no id", "/token/\(name ?? kind.rawValue)/ID"])
        case .invalidID(let place, let error): (.invalidID, [place, error.sentence])
        case .invalidBatch(let place, let error): (.invalidID, [place, error.sentence])
        case .repeatedParameter(let name): (.repeatedParameter, [name])
        case .conflictingParameters(let first, let second): (.conflictingParameters, [first, second])
        case .foreignParameter(let name, let kind): (.foreignParameter, [kind.rawValue, name, kind.parameters])
        case .unknownParameter(let name): (.unknownParameter, [name, QueryParameter.names])
        case .emptyParameter: (.emptyParameter, [])
        case .unknownWord(.format): (.invalidFormat, [AnswerFormat.names])
        case .unknownWord: (.invalidExpiration, ["expected absolute or relative"])
        case .foreignExpiration(let format):
            (
                .invalidExpiration,
                ["not available in the format \(format.rawValue); expected format=sdk, or no expiration"]
            )
        case .kindOff(let kind, let absence): (.kindOff, [kind.rawValue, absence.advice(on: kind)])
        case .caller(.callerRequired(let kind)): (.callerRequired, [kind.rawValue])
        case .caller(let problem): (problem.outcome(), [])
        case .signingUnavailable: (.signingUnavailable, [])
        }
    }

    private var row: ProblemRow { entry.outcome.row ?? RequestRejection.abandoned.row }

    package var status: HTTPStatus { row.status }

    /// One sentence for the client: what is wrong, and what was expected.
    package var detail: String {
        let (sentence, words) = (row.sentence, entry.words)
        var parts = sentence.split(separator: "{}", omittingEmptySubsequences: false)[...]
        var text = String(parts.popFirst() ?? "")
        for (word, part) in zip(words, parts) { text += word + part }
        return text
    }

    /// The outcome as metrics count it; `limit` is the limit that the request exceeded.
    package func outcome(by limit: RequestLimits.Limit? = nil) -> RequestOutcome {
        guard case .caller(let problem) = self else { return entry.outcome }
        return problem.outcome(by: limit)
    }

    /// The stable code that clients get. For a kind that is off it names the setting that is missing.
    package var code: String {
        switch self {
        case .kindOff(let kind, .key): "kinds.\(kind.rawValue).credentials_unset"
        case .kindOff(let kind, .listing), .kindOff(let kind, .listingAndKey): "kinds.enabled_without_\(kind.rawValue)"
        default: row.code
        }
    }
}

extension IDParameter {
    /// How a query names an id.
    fileprivate static let examples =
        "tripID=ID, vehicleID=ID, deliveryVehicleID=ID, trackingID=ID, taskID=ID or taskIDs=ID,ID"
}

extension TokenKind {
    /// The ids that its tokens are for.
    fileprivate var parameters: String {
        switch self {
        case .trustedDeliveryDriver: "deliveryVehicleID, and taskID if there is one"
        case .deliveryConsumer: "trackingID or taskID"
        default: pathParameter?.name ?? "no id"
        }
    }
}
