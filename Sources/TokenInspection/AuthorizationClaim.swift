import StrictJSON
import FleetEngineToken

/// The value of a private claim, of the right type.
enum AuthorizationClaim: Hashable {
    case wildcard
    case id(String)
    case ids([String])

    private static let table = AuthorizationFindings()

    /// Whether it names something or allows everything.
    enum Form: Hashable {
        case wildcard
        case specific
    }

    var form: Form { self == .wildcard ? .wildcard : .specific }

    /// What is wrong with the ids, each fault once.
    func findings(_ name: PrivateClaimName) -> [TokenFinding] {
        switch self {
        case .wildcard: return []
        case .id(let id): return Self.findings(id, name)
        case .ids(let ids):
            var seen: Set<TokenFinding> = []
            let findings = ids.flatMap { Self.findings($0, name) }.filter { seen.insert($0).inserted }
            return findings.isEmpty ? Self.batchFindings(ids) : findings
        }
    }

    private static func findings(_ id: String, _ name: PrivateClaimName) -> [TokenFinding] {
        do throws(FleetEngineIDError) {
            _ = try FleetEngineID(id)
            return []
        } catch {
            if error == .wildcard { return [table.wildcardAmongTasks()] }
            let row = error.isDocumented ? table.idRefused : table.idUnwise
            return [row(name.rawValue, Quoted.text(id), error.sentence, about: name.path)]
        }
    }

    /// Why valid ids are not a batch of ours.
    private static func batchFindings(_ ids: [String]) -> [TokenFinding] {
        do throws(TaskBatchError) {
            _ = try TaskBatch(ids.compactMap { try? FleetEngineID($0) })
            return []
        } catch {
            return [table.taskIDsUnlikeOurs(error.sentence, "\(TaskBatch.maxTasks)")]
        }
    }

    /// The claim's value; throws why it is of the wrong type.
    init(_ value: JSONValue, of name: PrivateClaimName) throws(FindingError) {
        guard name == .taskIDs else {
            let id = try Self.text(value, name, called: name.rawValue)
            self = id == PrivateClaimName.wildcard ? .wildcard : .id(id)
            return
        }
        guard case .array(let elements) = value else {
            throw FindingError(finding: Self.table.taskIDsNotArray(Quoted.value(value)))
        }
        guard !elements.isEmpty else { throw FindingError(finding: Self.table.taskIDsEmpty()) }
        var ids: [String] = []
        for element in elements { ids.append(try Self.text(element, name, called: "an element of taskids")) }
        self = ids == [PrivateClaimName.wildcard] ? .wildcard : .ids(ids)
    }

    private static func text(
        _ value: JSONValue, _ name: PrivateClaimName, called place: String
    ) throws(FindingError) -> String {
        guard case .string(let id) = value else {
            throw FindingError(finding: table.claimNotString(place, Quoted.value(value), about: name.path))
        }
        return id
    }
}

extension FleetEngineIDError {
    /// Whether the rule is one of Fleet Engine's protocol buffers, or one of ours that Google does not document.
    fileprivate var isDocumented: Bool {
        switch self {
        case .empty, .tooLong, .notUTF8, .notNFC, .forbiddenCharacter, .wildcard: true
        case .controlCharacter, .surroundingWhiteSpace, .dotSegment: false
        }
    }
}

extension PrivateClaimName {
    /// The claim's place, such as `authorization.tripid`.
    var path: String { "authorization.\(rawValue)" }
}
