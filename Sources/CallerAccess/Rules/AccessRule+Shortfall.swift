import FleetEngineToken
import StrictJSON

/// What a rule misses in a caller or a token, before it is put into words.
enum AccessShortfall: Sendable {
    /// The caller is another.
    case caller
    /// The caller's own list of rules does not contain it.
    case notOfCaller
    /// The rule reads claims, and the caller has no token.
    case noClaims
    /// A claim is not what it must be.
    case claim(ClaimMismatch, ClaimRequirement)
    /// The rule does not mention the id.
    case unmentioned(IDName)
    /// The ids are not among these of the rule.
    case unlisted(IDName, Set<FleetEngineID>)
    /// The id is not in the claim that the rule allows.
    case ungranted(IDName, ClaimMismatch)
    /// Every task is requested, which no rule can allow.
    case everyTask
}

extension AccessRule {
    /// The first thing that keeps the rule from allowing the caller a token of one of its kinds, or from asking about it;
    /// nil if nothing does.
    func shortfall(_ principal: Principal, _ wanted: PrivateClaims) -> AccessShortfall? {
        guard allows(principal.source) else { return .caller }
        if let rules = principal.rules { guard rules.contains(name) else { return .notOfCaller } }
        for requirement in claims {
            guard let claims = principal.claims else { return .noClaims }
            if let mismatch = requirement.mismatch(in: claims) { return .claim(mismatch, requirement) }
        }
        return shortfall(principal.claims, ids: wanted)
    }

    private func allows(_ caller: Principal.Source) -> Bool {
        callers.isEmpty ? asksBackEnd || caller != .anonymous : callers.contains(caller)
    }

    private func shortfall(_ claims: JSONObject?, ids wanted: PrivateClaims) -> AccessShortfall? {
        switch wanted {
        case .trip(let id): shortfall(claims, .tripID, CollectionOfOne(id))
        case .vehicle(let id): shortfall(claims, .vehicleID, CollectionOfOne(id))
        case .untrustedDeliveryVehicle(let id): shortfall(claims, .deliveryVehicleID, CollectionOfOne(id))
        case .trustedDeliveryVehicle(let id, let task):
            shortfall(claims, .deliveryVehicleID, CollectionOfOne(id))
                ?? task.flatMap { shortfall(claims, .taskID, CollectionOfOne($0)) }
        case .trackingID(let id): shortfall(claims, .trackingID, CollectionOfOne(id))
        case .task(let id): shortfall(claims, .taskID, CollectionOfOne(id))
        case .tasks(let batch): shortfall(claims, .taskIDs, batch.ids)
        case .everyTask: .everyTask
        case .server, .deliveryServer, .deliveryFleetReader, .fleetReader: nil
        }
    }

    private func shortfall(
        _ claims: JSONObject?, _ name: IDName, _ wanted: some Collection<FleetEngineID>
    ) -> AccessShortfall? {
        switch allowedIDs(name) {
        case nil: return asksBackEnd ? nil : .unmentioned(name)
        case .any: return nil
        // Ids are in Normalization Form C, so those that Swift takes for equal have the same bytes.
        case .literals(let literals): return wanted.allSatisfy(literals.contains) ? nil : .unlisted(name, literals)
        case .claim(let path):
            guard let claims else { return .noClaims }
            let value = path.value(in: claims)
            guard value?.grants(wanted) != true else { return nil }
            return .ungranted(name, ClaimMismatch(path: path, value: value))
        }
    }
}
