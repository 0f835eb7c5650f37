import FleetEngineToken
import ServiceConfiguration

extension TokenProblem {
    /// One sentence for the client: what is wrong, and what was expected.
    package var detail: String {
        switch self {
        case .unknownPath: "There is nothing at this path; expected /token, /token/KIND/ID, /token/KIND or /healthz."
        case .unknownAdminPath: "There is nothing at this path; expected one of \(AdminPath.names)."
        case .unknownKind: Self.noKind
        case .methodNotAllowed(let allowed): "The method is not allowed at this path; expected \(allowed)."
        case .originNotAllowed: "Web pages of this origin are not allowed; expected an origin in cors.allowed_origins."
        case .reloadFieldMissing, .consoleHeaderMissing:
            "Web pages of other origins cannot request this; expected the header Token-Provider-Request with the last part of "
                + "the path."
        case .hostNotAllowed:
            "The Host is not known here; expected an address, localhost or one of admin.allowed_hosts."
        case .missingID(nil, _): Self.noSubject
        case .missingID(let kind?, let name): "The path names no id; expected /token/\(name ?? kind.rawValue)/ID."
        case .invalidID(let place, let error): "\(place): \(error.sentence)."
        case .invalidBatch(let place, let error): "\(place): \(error.sentence)."
        case .repeatedParameter(let name): "The request has \(name) more than once; expected it once."
        case .conflictingParameters(let first, let second): Self.conflict(first, second)
        case .foreignParameter(let name, let kind): Self.foreign(name, kind)
        case .unknownParameter(let name): Self.unknown(name)
        case .emptyParameter: "The query has a parameter without a name; expected NAME=VALUE."
        case .unknownWord(.format): "format: expected one of \(AnswerFormat.names)."
        case .unknownWord(let parameter): "\(parameter.name): expected absolute or relative."
        case .foreignExpiration(let format): Self.foreignExpiration(format)
        case .kindOff(let kind, let absence): Self.off(kind, absence)
        case .caller(let problem): problem.detail
        case .signingUnavailable: "No token can be signed at the moment; try again later."
        }
    }
}

/// The longer sentences.
extension TokenProblem {
    private static let noKind =
        "The path names no kind of token; expected /token/KIND/ID, or /token/KIND where the kind names no id, with one of "
        + "\(TokenPath.kindNames)."

    private static let noSubject =
        "The query names nothing that a token is for; expected tripID=ID, vehicleID=ID, deliveryVehicleID=ID, "
        + "trackingID=ID, taskID=ID or taskIDs=ID,ID."

    private static func conflict(_ first: String, _ second: String) -> String {
        "The request has both \(first) and \(second); expected one of them, since no token is for both."
    }

    private static func foreign(_ name: String, _ kind: TokenKind) -> String {
        let expected =
            switch kind {
            case .trustedDeliveryDriver: "deliveryVehicleID, and taskID if there is one"
            case .deliveryConsumer: "trackingID or taskID"
            default: kind.pathParameter?.name ?? "no id"
            }
        return "A token of the kind \(kind.rawValue) is not for \(name); expected \(expected)."
    }

    private static func unknown(_ name: String) -> String {
        "The query parameter \"\(name)\" is not known; expected one of \(QueryParameter.names)."
    }

    private static func foreignExpiration(_ format: AnswerFormat) -> String {
        "expiration: not available in the format \(format.rawValue); expected format=sdk, or no expiration."
    }

    private static func off(_ kind: TokenKind, _ absence: KindAbsence) -> String {
        "The kind \(kind.rawValue) is not served here; \(absence.advice(on: kind))."
    }
}
