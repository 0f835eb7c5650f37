import FleetEngineToken
import ServiceConfiguration
import TokenService

/// Why the flags do not say what a token is for, in one sentence that begins with the flags.
struct SubjectProblem: Error {
    let sentence: String

    private init(_ sentence: String) { self.sentence = sentence }

    /// Two flags that no token combines.
    static func conflict(_ first: String, _ second: String) -> SubjectProblem {
        SubjectProblem("\(first) and \(second): no token is for both; expected one of them")
    }

    /// A flag that does not fit the kind.
    static func foreign(_ flag: String, _ kind: TokenKind) -> SubjectProblem {
        SubjectProblem("\(flag) and --kind \(kind.rawValue): no such token is for that; expected \(kind.flags)")
    }

    /// A text that is not UTF-8.
    static func notUTF8(_ flag: String) -> SubjectProblem {
        SubjectProblem(
            "\(flag): the id is not valid UTF-8, or contains U+FFFD; expected UTF-8")
    }

    /// A problem of a request, with the names of flags; `parameter` was being added.
    init(_ problem: TokenProblem, adding parameter: IDParameter? = nil) {
        switch problem {
        case .missingID(nil, _):
            let all = IDParameter.allCases.map { "\($0.flag) ID" }.joined(separator: ", ")
            let wildcards = TokenKind.wildcards.map(\.rawValue).joined(separator: ", ")
            sentence =
                "nothing says what the token is for; expected \(all), --all-tasks or --kind with one of \(wildcards)"
        case .missingID(let kind?, _):
            sentence = "--kind \(kind.rawValue): nothing says what the token is for; expected \(kind.flags)"
        case .conflictingParameters(let first, let second):
            self = .conflict(SubjectProblem.flag(first), SubjectProblem.flag(second))
        case .foreignParameter(let name, let kind): self = .foreign(SubjectProblem.flag(name), kind)
        case .repeatedParameter(let name):
            sentence = RepeatedFlag(name: SubjectProblem.flag(name)).sentence
        case .invalidID(let flag, .wildcard):
            let wildcard = parameter?.wildcardFlags ?? ""
            sentence = "\(flag): \(FleetEngineIDError.wildcard.sentence), or instead of this flag \(wildcard)"
        case .invalidID(let flag, let error): sentence = "\(flag): \(error.sentence)"
        case .invalidBatch(let flag, let error): sentence = "\(flag): \(error.sentence)"
        default: sentence = problem.detail
        }
    }

    private static func flag(_ name: String) -> String { IDParameter(rawValue: name)?.flag ?? name }
}

extension IDParameter {
    /// The flag for such an id.
    var flag: String {
        switch self {
        case .tripID: "--trip"
        case .vehicleID: "--vehicle"
        case .deliveryVehicleID: "--delivery-vehicle"
        case .trackingID: "--tracking"
        case .taskID: "--task"
        case .taskIDs: "--tasks"
        }
    }

    /// The flags to use instead of a wildcard as id.
    fileprivate var wildcardFlags: String {
        switch self {
        case .taskID, .taskIDs: "--all-tasks for every task"
        case .deliveryVehicleID, .trackingID: "--kind delivery_server for all of deliveries"
        default: "--kind server for all trips and vehicles"
        }
    }
}

extension TokenKind {
    /// The flags with the ids of such a token.
    fileprivate var flags: String {
        switch self {
        case .trustedDeliveryDriver: "--delivery-vehicle ID, and --task ID if there is one"
        case .deliveryConsumer: "--tracking ID or --task ID"
        case .taskBatch: "--tasks ID,ID or --all-tasks"
        default: pathParameter.map { "\($0.flag) ID" } ?? "no flag that names an id"
        }
    }
}
