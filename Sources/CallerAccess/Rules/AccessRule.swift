import FleetEngineToken
import StrictJSON

/// One way to be allowed a token: which kinds, for whom, by which claims, for which ids. Whatever it does not mention it
/// does not allow; valid once it exists. Held by reference: to copy each rule that is looked at would cost more than the
/// look.
package final class AccessRule: Sendable {
    /// The name under which records tell that it allowed a token.
    package let name: String
    /// The kinds it allows; a kind that opens the whole fleet is only ever allowed by being named here.
    package let kinds: Set<TokenKind>

    /// The callers it is for; none for every caller who proved who they are.
    package let callers: [Principal.Source]
    let claims: [ClaimRequirement]
    /// In the order of the names.
    private let ids: [AllowedIDs?]
    /// Whether it allows nothing by itself but what the company's back end allows. Then it is for every caller where there
    /// are no `callers`, proved or not, and for every id where it does not mention the id's name.
    package let asksBackEnd: Bool

    /// A rule for these callers, or for every caller who proved who they are where there are none; throws the first
    /// thing that could not be meant.
    package init(
        name: String, kinds: Set<TokenKind>, callers: [Principal.Source] = [], claims: [ClaimRequirement] = [],
        ids: [IDName: AllowedIDs] = [:], asksBackEnd: Bool = false
    ) throws(AccessRuleError) {
        guard ConfiguredName.isValid(name.utf8) else { throw .malformedName }
        guard !kinds.isEmpty else { throw .noKind }
        for caller in callers { try Self.check(caller) }
        for name in IDName.allCases {
            guard let allowed = ids[name] else { continue }
            if case .literals(let literals) = allowed, literals.isEmpty { throw .noLiteral(name) }
            guard kinds.contains(where: { $0.idNames.contains(name) }) else { throw .idOfNoKind(name) }
        }
        for kind in TokenKind.ofSpecificIDs where kinds.contains(kind) && !asksBackEnd {
            guard kind.mainIDNames.contains(where: { ids[$0] != nil }) else { throw .kindWithoutID(kind) }
        }
        (self.name, self.kinds, self.callers, self.claims) = (name, kinds, callers, claims)
        self.ids = IDName.allCases.map { ids[$0] }
        self.asksBackEnd = asksBackEnd
        guard claimNames.isEmpty || callers.isEmpty || callers.contains(where: \.hasClaims) else {
            throw .claimsOfNobody(rule: name)
        }
    }

    /// Which ids of the name it allows; nil where it does not mention it.
    func allowedIDs(_ name: IDName) -> AllowedIDs? { ids[name.ordinal] }

    /// The names of the claims that it looks at, or of the outermost objects around them.
    package var claimNames: [JSONName] {
        let ofIDs = ids.compactMap { allowed -> ClaimPath? in
            guard case .claim(let path) = allowed else { return nil }
            return path
        }
        return (claims.map(\.path) + ofIDs).compactMap(\.outermost)
    }

    /// Whether it is for every caller who proved who they are, whatever their claims.
    package var isForAllWhoAreKnown: Bool { callers.isEmpty && claims.isEmpty && !asksBackEnd }

    private static func check(_ caller: Principal.Source) throws(AccessRuleError) {
        switch caller {
        case .jwt(let issuer): guard !issuer.isEmpty else { throw .malformedCaller }
        case .apiKey(let name): guard ConfiguredName.isValid(name.utf8) else { throw .malformedCaller }
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
