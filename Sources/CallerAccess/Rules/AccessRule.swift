import FleetEngineToken
import StrictJSON

/// One way to be allowed a token: which kinds, for which callers, by which claims, for which ids. It does not allow what it
/// does not mention; valid once it exists. A class, since copying each rule would cost more than checking it.
package final class AccessRule: Sendable {
    /// The name in records of tokens that it allowed.
    package let name: String
    /// The kinds it allows; a kind that opens the whole fleet is only ever allowed by being named here.
    package let kinds: Set<TokenKind>

    /// The callers it is for; none for every authenticated caller.
    package let callers: [Principal.Source]
    let claims: [ClaimRequirement]
    /// In the order of the names.
    private let ids: [AllowedIDs?]
    /// Whether it allows only what the company's back end allows. Then it is for every id whose name it does not mention, and
    /// without `callers` for every caller, authenticated or not.
    package let asksBackEnd: Bool

    /// A rule for these callers, or for every authenticated caller if there are none; throws the first setting that is
    /// invalid.
    package init(
        name: String, kinds: Set<TokenKind>, callers: [Principal.Source] = [], claims: [ClaimRequirement] = [],
        ids: [IDName: AllowedIDs] = [:], asksBackEnd: Bool = false
    ) throws(AccessRuleError) {
        guard ConfiguredName.isValid(name.utf8) else { throw .malformedName }
        guard !kinds.isEmpty else { throw .noKind(rule: name) }
        for caller in callers { try Self.check(caller, of: name) }
        for id in IDName.allCases {
            guard let allowed = ids[id] else { continue }
            if case .literals(let literals) = allowed, literals.isEmpty { throw .noLiteral(rule: name, id) }
            guard kinds.contains(where: { $0.idNames.contains(id) }) else {
                throw .idOfNoKind(rule: name, id, kinds)
            }
        }
        for kind in TokenKind.ofSpecificIDs where kinds.contains(kind) && !asksBackEnd {
            guard kind.mainIDNames.contains(where: { ids[$0] != nil }) else {
                throw .kindWithoutID(rule: name, kind)
            }
        }
        (self.name, self.kinds, self.callers, self.claims) = (name, kinds, callers, claims)
        self.ids = IDName.allCases.map { ids[$0] }
        self.asksBackEnd = asksBackEnd
        guard claimNames.isEmpty || callers.isEmpty || callers.contains(where: \.hasClaims) else {
            throw .claimsWithoutTokens(rule: name)
        }
    }

    /// Which ids of the name it allows; nil if it does not mention the name.
    func allowedIDs(_ name: IDName) -> AllowedIDs? { ids[name.ordinal] }

    /// The names of the claims that it reads, or of the outermost objects around them.
    package var claimNames: [JSONName] {
        let ofIDs = ids.compactMap { allowed -> ClaimPath? in
            guard case .claim(let path) = allowed else { return nil }
            return path
        }
        return (claims.map(\.path) + ofIDs).compactMap(\.outermost)
    }

    /// Whether it is for every authenticated caller, whatever their claims.
    package var isForEveryAuthenticatedCaller: Bool { callers.isEmpty && claims.isEmpty && !asksBackEnd }

    private static func check(_ caller: Principal.Source, of rule: String) throws(AccessRuleError) {
        switch caller {
        case .jwt(let issuer, _): guard !issuer.isEmpty else { throw .malformedCaller(rule: rule) }
        case .apiKey(let name): guard ConfiguredName.isValid(name.utf8) else { throw .malformedCaller(rule: rule) }
        case .certificate, .forwardAuth, .anonymous: return
        }
    }
}

extension AccessRule: Equatable {
    /// Whether both say the same.
    package static func == (one: AccessRule, other: AccessRule) -> Bool {
        (one.name, one.kinds, one.callers) == (other.name, other.kinds, other.callers)
            && (one.claims, one.ids, one.asksBackEnd) == (other.claims, other.ids, other.asksBackEnd)
    }
}

extension Principal.Source {
    fileprivate var hasClaims: Bool {
        if case .jwt = self { true } else { false }
    }
}

extension IDName {
    /// The name's place among all names.
    fileprivate var ordinal: Int {
        switch self {
        case .tripID: 0
        case .vehicleID: 1
        case .deliveryVehicleID: 2
        case .trackingID: 3
        case .taskID: 4
        case .taskIDs: 5
        }
    }
}

/// The names that rules and API keys are given: 1 to 64 letters, digits, dots, underscores and hyphens of ASCII. They need no
/// escaping in any record, and Swift takes two of them for equal only if their bytes are.
enum ConfiguredName {
    static let maxBytes = 64

    static func isValid(_ name: some Collection<UInt8>) -> Bool {
        (1...maxBytes).contains(name.count) && name.allSatisfy { $0.isAlphanumeric(or: "._-") }
    }
}
