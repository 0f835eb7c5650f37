import StrictJSON

/// A private claim's name as Fleet Engine reads it: all lower case.
package enum PrivateClaimName: String, CaseIterable, Sendable {
    case tripID = "tripid"
    case vehicleID = "vehicleid"
    case deliveryVehicleID = "deliveryvehicleid"
    case taskID = "taskid"
    case trackingID = "trackingid"
    case taskIDs = "taskids"

    /// The value that means every id.
    package static let wildcard = "*"
}

extension JSONWriter {
    /// The value of the `authorization` object, its members in the order of the table in FleetEngineContract.md, "Kinds
    /// of tokens". `shown` may replace the text of each id.
    package mutating func value(_ claims: PrivateClaims, showing shown: (String) -> String = { $0 }) {
        object { json in
            switch claims {
            case .trip(let id): json.member(.tripID, shown(id.text))
            case .vehicle(let id): json.member(.vehicleID, shown(id.text))
            case .untrustedDeliveryVehicle(let id): json.member(.deliveryVehicleID, shown(id.text))
            case .trustedDeliveryVehicle(let id, let task):
                json.member(.deliveryVehicleID, shown(id.text))
                if let task { json.member(.taskID, shown(task.text)) }
            case .trackingID(let id): json.member(.trackingID, shown(id.text))
            case .task(let id): json.member(.taskID, shown(id.text))
            case .tasks(let batch): json.tasks(batch.ids.map { shown($0.text) })
            case .everyTask: json.tasks([PrivateClaimName.wildcard])
            case .server: json.wildcards(.tripID, .vehicleID)
            case .deliveryServer, .deliveryFleetReader: json.wildcards(.taskID, .trackingID, .deliveryVehicleID)
            case .fleetReader: json.wildcards(.tripID, .vehicleID, .taskID, .trackingID, .deliveryVehicleID)
            }
        }
    }

    private mutating func member(_ name: PrivateClaimName, _ id: String) {
        member(name.rawValue, id)
    }

    private mutating func wildcards(_ names: PrivateClaimName...) {
        for name in names { member(name.rawValue, PrivateClaimName.wildcard) }
    }

    private mutating func tasks(_ ids: [String]) {
        key(PrivateClaimName.taskIDs.rawValue)
        array { json in
            for id in ids { json.value(id) }
        }
    }
}

extension PrivateClaims {
    private static let names = PrivateClaimName.allCases.map { ($0, JSONName($0.rawValue)) }

    /// All that can be written as this `authorization` object, of which kinds share some. Claims with other members are
    /// among them: compare what is written for them. The wildcard of task batches is not.
    package static func candidates(in authorization: JSONObject) -> [PrivateClaims] {
        let values = names.compactMap { name, key in authorization[key].map { (name, $0) } }
        guard let (first, value) = values.first else { return [] }
        if value == .string(PrivateClaimName.wildcard) { return TokenKind.wildcards.compactMap(Self.init(wildcard:)) }
        if first == .taskIDs { return TaskBatch(value).map { [.tasks($0)] } ?? [] }
        guard let id = FleetEngineID(value) else { return [] }
        switch first {
        case .tripID: return [.trip(id)]
        case .vehicleID: return [.vehicle(id)]
        case .deliveryVehicleID:
            let task = values.dropFirst().first.flatMap { FleetEngineID($1) }
            return [.untrustedDeliveryVehicle(id), .trustedDeliveryVehicle(id, task: task)]
        case .taskID: return [.task(id)]
        case .trackingID: return [.trackingID(id)]
        case .taskIDs: return []
        }
    }
}

extension FleetEngineID {
    fileprivate init?(_ json: JSONValue) {
        guard case .string(let text) = json else { return nil }
        try? self.init(text)
    }
}

extension TaskBatch {
    fileprivate init?(_ json: JSONValue) {
        guard case .array(let values) = json, values.count <= Self.maxTasks else { return nil }
        let ids = values.compactMap(FleetEngineID.init)
        guard ids.count == values.count else { return nil }
        try? self.init(ids)
    }
}
