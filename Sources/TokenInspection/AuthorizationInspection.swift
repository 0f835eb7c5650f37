import StrictJSON
import FleetEngineToken

/// Checks what a token allows: the `authorization` object.
struct AuthorizationInspection {
    private(set) var findings: [TokenFinding] = []
    private(set) var purpose: TokenPurpose?
    /// Names outside `authorization` that the findings are about.
    private(set) var explained: Set<JSONName> = []
    private var values: [PrivateClaimName: AuthorizationClaim] = [:]

    private static let table = AuthorizationFindings()

    init(_ claims: JSONObject) {
        guard let authorization = claims["authorization"] else {
            explainAbsence(claims)
            return
        }
        guard case .object(let members) = authorization else {
            findings.append(Self.table.notObject(Quoted.value(authorization)))
            return
        }
        let allAreKnown = read(members)
        if members.isEmpty {
            findings.append(Self.table.empty())
        } else if allAreKnown, values.isEmpty {
            findings.append(Self.table.allowsNothing())
        }
        for name in PrivateClaimName.allCases { findings += values[name]?.findings(name) ?? [] }
        let wildcards = PrivateClaimName.allCases.filter { values[$0] == .wildcard }
        if !wildcards.isEmpty { findings.append(Self.table.wildcard(wildcards.list)) }
        if allAreKnown { judge() }
    }

    /// Says why `authorization` is missing, if the other claims show it.
    private mutating func explainAbsence(_ claims: JSONObject) {
        let names = JSONText.ordered(claims).map(\.name)
        if let misspelled = names.first(where: { Self.misspellings.contains($0.text.lowercased()) }) {
            explained = [misspelled]
            findings = [Self.table.misspelled(Quoted.text(misspelled.text))]
            return
        }
        findings = [claims["scope"] == nil ? Self.table.missing() : Self.table.scopeInstead()]
        for name in names {
            guard let meant = PrivateClaimName(meantBy: name.text) else { continue }
            explained.insert(name)
            findings.append(
                Self.table.claimMisplaced(Quoted.text(name.text), meant.rawValue, about: meant.rawValue))
        }
    }

    private static let misspellings: Set<String> = ["authorization", "authorisation", "authorizations"]

    /// Reads the members; returns whether each is a private claim of the right type, or unknown.
    private mutating func read(_ members: JSONObject) -> Bool {
        var allAreKnown = true
        for (member, value) in JSONText.ordered(members) {
            guard let name = PrivateClaimName(meantBy: member.text) else {
                findings.append(Self.table.unknownPrivateClaim(Quoted.text(member.text)))
                continue
            }
            do throws(FindingError) {
                values[name] = try Self.claim(value, name, spelled: member)
            } catch {
                findings.append(error.finding)
                allAreKnown = false
            }
        }
        return allAreKnown
    }

    private static func claim(
        _ value: JSONValue, _ name: PrivateClaimName, spelled member: JSONName
    ) throws(FindingError) -> AuthorizationClaim {
        guard member == JSONName(name.rawValue) else {
            throw FindingError(
                finding: table.claimMisspelled(Quoted.text(member.text), name.rawValue, about: name.path))
        }
        return try AuthorizationClaim(value, of: name)
    }

    /// Finds the kinds that the claims together mean, or why they mean none.
    private mutating func judge() {
        guard !values.isEmpty else { return }
        purpose = TokenPurpose(values)
        guard purpose == nil else { return }
        let conflict = conflicting()
        let names = PrivateClaimName.allCases.filter { values[$0] != nil }
        findings.append(
            conflict.isEmpty ? Self.table.unknownCombination(names.list) : Self.table.conflictingClaims(conflict.list))
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

extension [PrivateClaimName] {
    fileprivate var list: String { map(\.rawValue).joined(separator: " and ") }
}
