import StrictJSON

/// The value of a private claim, of the right type.
enum AuthorizationClaim: Hashable {
    case wildcard
    case id(String)
    case ids([String])

    /// Whether it names something or opens everything.
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
            return [error == .wildcard ? .wildcardAmongTasks : .id(name, id, error)]
        }
    }

    /// What keeps right ids from being a batch of ours.
    private static func batchFindings(_ ids: [String]) -> [TokenFinding] {
        do throws(TaskBatchError) {
            _ = try TaskBatch(ids.compactMap { try? FleetEngineID($0) })
            return []
        } catch {
            return [.taskIDsUnlikeOurs(error)]
        }
    }

    /// The claim's value, or why it is of the wrong type.
    static func read(
        _ value: JSONValue, of name: PrivateClaimName
    ) -> Result<AuthorizationClaim, InspectionProblem> {
        guard name == .taskIDs else {
            guard case .string(let id) = value else { return .failure(.init(.claimNotString(name, value))) }
            return .success(id == PrivateClaimName.wildcard ? .wildcard : .id(id))
        }
        guard case .array(let elements) = value else { return .failure(.init(.taskIDsNotArray(value))) }
        guard !elements.isEmpty else { return .failure(.init(.taskIDsEmpty)) }
        var ids: [String] = []
        for element in elements {
            guard case .string(let id) = element else { return .failure(.init(.claimNotString(name, element))) }
            ids.append(id)
        }
        return .success(ids == [PrivateClaimName.wildcard] ? .wildcard : .ids(ids))
    }
}

/// A finding that leaves nothing to look at.
struct InspectionProblem: Error {
    let finding: TokenFinding

    init(_ finding: TokenFinding) {
        self.finding = finding
    }
}
