import TestSupport
import Foundation
import Testing

/// The clients that Google and others publish, replayed against the real binary (FleetEngineContract.md, "What clients
/// read"). Each must work after a change of its base URL alone.
@Suite(.blocking) struct PublishedClientTests {
    /// One entry for each row of the contract's tables, or for each request of a row.
    static let served = [
        "Google's sample, Swift, consumer", "Google's sample, Swift, driver",
        "Google's sample, Objective-C, consumer", "Google's sample, Objective-C, driver",
        "on-demand iOS, Swift and Objective-C, consumer", "on-demand iOS, Swift, driver",
        "on-demand iOS, Objective-C, driver",
        "on-demand Android, Java and Kotlin, consumer", "on-demand Android, Java and Kotlin, driver",
        "on-demand React web",
        "last-mile iOS, driver", "last-mile Android, driver",
        "last-mile web, shipment tracking",
        "React Native driver SDK, its example", "React Native driver SDK, its migration guide",
        "React Native driver SDK, last mile",
        "Flutter driver, on demand", "Flutter driver, on demand, trailing slash",
        "Flutter driver, last mile", "Flutter driver, last mile, trailing slash",
        "JavaScript authTokenFetcher, trip", "JavaScript authTokenFetcher, shipment",
        "Android documentation, consumer", "Android documentation, driver",
        "older third-party client, vehicleId", "older third-party client, tripId",
    ]

    /// This client requests a token for the whole fleet without credentials. kind_contract.py tests its answer format
    /// with the others.
    static let refused = ["last-mile web, fleet tracking"]

    @Test func `every published client is served, except the one refused by design`() throws {
        let scratch = try Scratch()
        let key = try ServiceAccountFile(in: scratch)
        let reader = try ServiceAccountFile(in: scratch, name: "reader", account: "reader@x.iam.gserviceaccount.com")
        let daemon = try DaemonProcess(
            scratch: scratch, key: key,
            environment: [
                "TOKEN_PROVIDER_CORS_ALLOWED_ORIGINS": "https://app.example.com",
                "TOKEN_PROVIDER_KINDS_FLEET_READER_CREDENTIALS": reader.path,
            ])
        let facts = try PythonClients.run("published_clients.py", ["127.0.0.1", daemon.port])
        #expect(facts["served"] as? [String] == Self.served)
        #expect(facts["refused by design"] as? [String] == Self.refused)
        for row in Self.served { print("published client served: \(row)") }
        for row in Self.refused { print("published client refused by design: \(row)") }
    }
}
