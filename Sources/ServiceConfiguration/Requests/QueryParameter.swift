import FleetEngineToken

/// A query parameter of the token routes, with every spelling that is accepted.
package enum QueryParameter: Hashable {
    case id(IDParameter)
    case expiration
    case format

    package static let all = IDParameter.allCases.map(Self.id) + [.expiration, .format]

    /// The spelling that documentation and messages use.
    package var name: String {
        switch self {
        case .id(let parameter): parameter.name
        case .expiration: "expiration"
        case .format: "format"
        }
    }

    /// Every name, for messages.
    package static let names = all.map(\.name).joined(separator: ", ")

    /// Every spelling, matched byte for byte: existing apps write an id's name in each of these ways.
    package static let spellings: [(StaticString, QueryParameter)] = [
        ("tripID", .id(.tripID)), ("tripId", .id(.tripID)), ("tripid", .id(.tripID)), ("trip_id", .id(.tripID)),
        ("vehicleID", .id(.vehicleID)), ("vehicleId", .id(.vehicleID)), ("vehicleid", .id(.vehicleID)),
        ("vehicle_id", .id(.vehicleID)),
        ("deliveryVehicleID", .id(.deliveryVehicleID)), ("deliveryVehicleId", .id(.deliveryVehicleID)),
        ("deliveryvehicleid", .id(.deliveryVehicleID)), ("delivery_vehicle_id", .id(.deliveryVehicleID)),
        ("trackingID", .id(.trackingID)), ("trackingId", .id(.trackingID)), ("trackingid", .id(.trackingID)),
        ("tracking_id", .id(.trackingID)),
        ("taskID", .id(.taskID)), ("taskId", .id(.taskID)), ("taskid", .id(.taskID)), ("task_id", .id(.taskID)),
        ("taskIDs", .id(.taskIDs)), ("taskIds", .id(.taskIDs)), ("taskids", .id(.taskIDs)),
        ("task_ids", .id(.taskIDs)),
        ("expiration", .expiration), ("format", .format),
    ]

    /// The parameter of this name; nil if there is none.
    package init?(_ text: Span<UInt8>, _ name: Range<Int>) {
        for (spelling, parameter) in QueryParameter.spellings where spelling.utf8CodeUnitCount == name.count {
            var matched = 0
            while matched < name.count, text[name.lowerBound + matched] == spelling.utf8Start[matched] { matched += 1 }
            guard matched == name.count else { continue }
            self = parameter
            return
        }
        return nil
    }

    /// Whether a name is one of ours, apart from its case and underscores.
    package static func resembles(_ name: String) -> Bool {
        let folded = name.lowercased().filter { $0 != "_" }
        return all.contains { $0.name.lowercased() == folded }
    }
}

/// What kind of id a request names, by the name that documentation and messages use.
package enum IDParameter: String, CaseIterable {
    case tripID, vehicleID, deliveryVehicleID, trackingID, taskID, taskIDs

    package var name: String { rawValue }

    /// The claims of one id.
    package func claims(_ id: FleetEngineID) -> PrivateClaims {
        switch self {
        case .tripID: .trip(id)
        case .vehicleID: .vehicle(id)
        case .deliveryVehicleID: .untrustedDeliveryVehicle(id)
        case .trackingID: .trackingID(id)
        case .taskID: .task(id)
        case .taskIDs: .tasks(TaskBatch(id))
        }
    }
}
