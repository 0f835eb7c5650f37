import Foundation
import Testing

@testable import TokenProviderClient

@Suite struct FleetEngineSubjectTests {
    @Test func `each subject has its parameter and kind`() {
        let rows: [(FleetEngineSubject, String, FleetEngineTokenKind)] = [
            (.trip("a"), "tripID=a", .consumer), (.vehicle("a"), "vehicleID=a", .driver),
            (.deliveryVehicle("a"), "deliveryVehicleID=a", .untrustedDeliveryDriver),
            (.deliveryVehicle("a", task: "b"), "deliveryVehicleID=a&taskID=b", .trustedDeliveryDriver),
            (.task("a"), "taskID=a", .deliveryConsumer), (.tracking("a"), "trackingID=a", .deliveryConsumer),
        ]
        for (subject, query, kind) in rows {
            #expect(subject.query == query)
            #expect(subject.kind == kind)
        }
    }

    @Test func `every byte survives its encoding, and only unreserved ones stay`() {
        let all = String(String.UnicodeScalarView((0..<0x2FF).compactMap { Unicode.Scalar($0) })) + "車両\u{1F697}"
        let query = FleetEngineSubject.vehicle(all).query
        #expect(query.dropFirst("vehicleID=".count).removingPercentEncoding == all)
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%=")
        #expect(query.allSatisfy(unreserved.contains))
        #expect(FleetEngineSubject.trip("a+b &c").query == "tripID=a%2Bb%20%26c")
    }

    @Test func `ids are the same only if their bytes are`() {
        #expect(FleetEngineSubject.trip("\u{E9}") != .trip("e\u{301}"))
        #expect(FleetEngineSubject.trip("a") != .vehicle("a"))
        #expect(FleetEngineSubject.trip("a") == .trip("a"))
    }
}
