import StrictJSON

/// What a token opens: the `authorization` object (CONTRACT.md section 1).
struct AuthorizationInspection {
    private(set) var findings: [TokenFinding] = []
    private(set) var purpose: TokenPurpose?
    /// Names beside `authorization` that the findings are about.
    private(set) var explained: Set<JSONName> = []
    private var values: [PrivateClaimName: AuthorizationClaim] = [:]

    init(_ claims: JSONObject) {
        guard let authorization = claims["authorization"] else {
            explainAbsence(claims)
            return
        }
        guard case .object(let members) = authorization else {
            findings.append(.authorizationNotObject(authorization))
            return
        }
        let allAreKnown = read(members)
        if members.isEmpty { findings.append(.authorizationEmpty) }
        if !members.isEmpty, allAreKnown, values.isEmpty { findings.append(.authorizationOpensNothing) }
        for name in PrivateClaimName.allCases { findings += values[name]?.findings(name) ?? [] }
        let wildcards = PrivateClaimName.allCases.filter { values[$0] == .wildcard }
        if !wildcards.isEmpty { findings.append(.wildcard(wildcards)) }
        if allAreKnown { judge() }
    }

    /// Says why there is no `authorization`, as far as the other claims tell.
    private mutating func explainAbsence(_ claims: JSONObject) {
        let names = JSONText.ordered(claims).map(\.name)
        if let misspelled = names.first(where: { Self.misspellings.contains($0.text.lowercased()) }) {
            explained = [misspelled]
            findings = [.authorizationMisspelled(misspelled)]
            return
        }
        findings = [claims["scope"] == nil ? .authorizationMissing : .scopeInstead]
        for name in names {
            guard let meant = PrivateClaimName(meantBy: name.text) else { continue }
            explained.insert(name)
            findings.append(.claimMisplaced(name, meant))
        }
    }

    private static let misspellings: Set<String> = ["authorization", "authorisation", "authorizations"]

    /// Takes the members; whether each is a private claim of the right type.
    private mutating func read(_ members: JSONObject) -> Bool {
        var allAreKnown = true
        for (member, value) in JSONText.ordered(members) {
            guard let name = PrivateClaimName(meantBy: member.text) else {
                findings.append(.unknownPrivateClaim(member))
                continue
            }
            if member != JSONName(name.rawValue) {
                findings.append(.claimMisspelled(member, name))
                allAreKnown = false
                continue
            }
            switch AuthorizationClaim.read(value, of: name) {
            case .success(let claim): values[name] = claim
            case .failure(let problem):
                findings.append(problem.finding)
                allAreKnown = false
            }
        }
        return allAreKnown
    }

    /// Finds the kinds that the claims together mean, or why they mean none.
    private mutating func judge() {
        guard !values.isEmpty else { return }
        purpose = TokenPurpose(values)
        guard purpose == nil else { return }
        let conflict = conflicting()
        let names = PrivateClaimName.allCases.filter { values[$0] != nil }
        findings.append(conflict.isEmpty ? .unknownCombination(names) : .conflictingClaims(conflict))
    }

    /// Claims that are never in one token: `taskids` with any other, and two specific ids unless they are a delivery
    /// vehicle and a task.
    private func conflicting() -> [PrivateClaimName] {
        let names = PrivateClaimName.allCases.filter { values[$0] != nil }
        if values[.taskIDs] != nil { return names }
        let specific = names.filter { values[$0]?.form == .specific }
        return specific.count > 1 && specific != [.deliveryVehicleID, .taskID] ? specific : []
    }
}

extension PrivateClaimName {
    /// The name that is meant by another spelling: `tripId`, `trip_id`, `trip-ids`, `trip`.
    init?(meantBy text: String) {
        guard text.utf8.count <= 32 else { return nil }
        let letters = text.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
        let spellings = [letters, letters + "id", String(letters.dropLast())]
        guard let name = spellings.lazy.compactMap(Self.init(rawValue:)).first else { return nil }
        self = name
    }
}
