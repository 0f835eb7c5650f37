@testable import ServiceConfiguration
import Testing

@testable import FleetEngineToken
@testable import TokenService

@Suite struct QueryParameterTests {
    static let spellings: [String: QueryParameter] = [
        "tripID": .id(.tripID), "tripId": .id(.tripID), "tripid": .id(.tripID), "trip_id": .id(.tripID),
        "vehicleID": .id(.vehicleID), "vehicleId": .id(.vehicleID), "vehicleid": .id(.vehicleID),
        "vehicle_id": .id(.vehicleID),
        "deliveryVehicleID": .id(.deliveryVehicleID), "deliveryVehicleId": .id(.deliveryVehicleID),
        "deliveryvehicleid": .id(.deliveryVehicleID), "delivery_vehicle_id": .id(.deliveryVehicleID),
        "trackingID": .id(.trackingID), "trackingId": .id(.trackingID), "trackingid": .id(.trackingID),
        "tracking_id": .id(.trackingID),
        "taskID": .id(.taskID), "taskId": .id(.taskID), "taskid": .id(.taskID), "task_id": .id(.taskID),
        "taskIDs": .id(.taskIDs), "taskIds": .id(.taskIDs), "taskids": .id(.taskIDs), "task_ids": .id(.taskIDs),
        "expiration": .expiration, "format": .format,
    ]

    private func parameter(_ name: some Collection<UInt8>) -> QueryParameter? {
        let bytes = Array(name)
        return QueryParameter(bytes.span, 0..<bytes.count)
    }

    @Test func `each spelling is recognized anywhere in a query`() {
        #expect(Self.spellings.count == 26)
        #expect(Set(Self.spellings.values) == Set(QueryParameter.all))
        for (name, meaning) in Self.spellings {
            #expect(parameter(name.utf8) == meaning)
            let query = Array("a=b&\(name)=c".utf8)
            #expect(QueryParameter(query.span, 4..<4 + name.utf8.count) == meaning)
        }
    }

    @Test(arguments: ["tripid", "trip_id", "vehicleid", "vehicle_id", "taskids", "trackingid", "expiration"])
    func `only the listed capitalizations of a name are recognized`(name: String) {
        let letters = Array(name.utf8)
        for capitals in 0..<(1 << letters.count) {
            let spelled = letters.enumerated().map { place, letter in
                capitals >> place & 1 == 1 && letter != UInt8(ascii: "_") ? letter & 0xDF : letter
            }
            #expect(parameter(spelled) == Self.spellings[String(decoding: spelled, as: UTF8.self)])
        }
    }

    @Test func `a name with a missing, changed or extra byte is unknown`() {
        let known = Dictionary(uniqueKeysWithValues: Self.spellings.map { (Array($0.key.utf8), $0.value) })
        for bytes in known.keys {
            let name = String(decoding: bytes, as: UTF8.self)
            for place in 0...bytes.count {
                var nearMisses = [Array(bytes[..<place]) + Array(bytes[place...].dropFirst())]
                for byte in UInt8.min...UInt8.max {
                    nearMisses.append(Array(bytes[..<place]) + [byte] + Array(bytes[place...]))
                    nearMisses.append(Array(bytes[..<place]) + [byte] + Array(bytes[place...].dropFirst()))
                }
                for nearMiss in nearMisses {
                    guard parameter(nearMiss) != known[nearMiss] else { continue }
                    Issue.record("\(String(decoding: nearMiss, as: UTF8.self)) is taken for \(name)")
                }
            }
        }
        #expect(parameter([]) == nil)
    }

    // Such a name cannot be configured as ignored, because a misspelled parameter would then have no effect.
    @Test func `a similar name is detected despite its case and underscores`() {
        for name in ["TRIPID", "Trip_ID", "t_r_i_p_i_d", "VehicleID", "_vehicle_id_", "EXPIRATION"] {
            #expect(QueryParameter.resembles(name))
        }
        for name in ["trip", "id", "tripIDs", "task_idss", "utm_source", "", "_"] {
            #expect(!QueryParameter.resembles(name))
        }
    }
}
