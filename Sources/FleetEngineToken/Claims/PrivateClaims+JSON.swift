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
    /// The value of the `authorization` object, its members in the order of CONTRACT.md's table. `shown` may replace the
    /// text of each id.
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
