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

    /// What is wrong with each id.
    func findings(_ name: PrivateClaimName) -> [TokenFinding] {
        let ids: [String] =
            switch self {
            case .wildcard: []
            case .id(let id): [id]
            case .ids(let ids): ids
            }
        return ids.compactMap { id -> TokenFinding? in
            do throws(FleetEngineIDError) {
                _ = try FleetEngineID(id)
                return nil
            } catch {
                return error == .wildcard ? .wildcardAmongTasks : .id(name, id, error)
            }
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
