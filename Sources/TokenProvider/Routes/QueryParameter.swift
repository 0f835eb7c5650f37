/// A query parameter that means something to the token routes, with every spelling that it is matched by.
enum QueryParameter: String, CaseIterable {
    // The raw value is the spelling that documentation and sentences use.
    case tripID, vehicleID, deliveryVehicleID, trackingID, taskID, taskIDs, expiration, format

    var name: String { rawValue }

    /// Every name, for sentences.
    static let names = allCases.map(\.name).joined(separator: ", ")

    /// Every spelling, matched byte for byte: apps in the field write an id's name in each of these ways.
    private static let spellings: [(StaticString, QueryParameter)] = [
        ("tripID", .tripID), ("tripId", .tripID), ("tripid", .tripID), ("trip_id", .tripID),
        ("vehicleID", .vehicleID), ("vehicleId", .vehicleID), ("vehicleid", .vehicleID), ("vehicle_id", .vehicleID),
        ("deliveryVehicleID", .deliveryVehicleID), ("deliveryVehicleId", .deliveryVehicleID),
        ("deliveryvehicleid", .deliveryVehicleID), ("delivery_vehicle_id", .deliveryVehicleID),
        ("trackingID", .trackingID), ("trackingId", .trackingID), ("trackingid", .trackingID),
        ("tracking_id", .trackingID),
        ("taskID", .taskID), ("taskId", .taskID), ("taskid", .taskID), ("task_id", .taskID),
        ("taskIDs", .taskIDs), ("taskIds", .taskIDs), ("taskids", .taskIDs), ("task_ids", .taskIDs),
        ("expiration", .expiration), ("format", .format),
    ]

    /// The parameter of this name; nil if there is none.
    init?(_ text: Span<UInt8>, _ name: Range<Int>) {
        for (spelling, parameter) in QueryParameter.spellings where spelling.utf8CodeUnitCount == name.count {
            var matched = 0
            while matched < name.count, text[name.lowerBound + matched] == spelling.utf8Start[matched] { matched += 1 }
            guard matched == name.count else { continue }
            self = parameter
            return
        }
        return nil
    }

    /// Whether a name is one of ours, or would be but for its case and underscores.
    static func resembles(_ name: String) -> Bool {
        let folded = name.lowercased().filter { $0 != "_" }
        return allCases.contains { $0.name.lowercased() == folded }
    }
}
