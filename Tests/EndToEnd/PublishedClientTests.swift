import Foundation
import Testing

/// The clients that Google and others have published, replayed against the real binary (CONTRACT.md section 2).
@Suite struct PublishedClientTests {
    /// A row of the contract's tables each, or one for each of a row's requests.
    static let rows = [
        "Google's sample, Swift, consumer", "Google's sample, Swift, driver",
        "Google's sample, Objective-C, consumer", "Google's sample, Objective-C, driver",
        "on-demand iOS, Swift and Objective-C, consumer", "on-demand iOS, Swift and Objective-C, driver",
        "on-demand Android, Java and Kotlin, consumer", "on-demand Android, Java and Kotlin, driver",
        "on-demand React web",
        "last-mile iOS, driver", "last-mile Android, driver",
        "last-mile web, shipment tracking", "last-mile web, fleet tracking",
        "React Native driver SDK, its example", "React Native driver SDK, its migration guide",
        "React Native driver SDK, last mile",
        "Flutter driver, on demand", "Flutter driver, on demand, trailing slash",
        "Flutter driver, last mile", "Flutter driver, last mile, trailing slash",
        "JavaScript authTokenFetcher, trip", "JavaScript authTokenFetcher, shipment",
        "Android documentation, consumer", "Android documentation, driver",
        "older third-party client, vehicleId", "older third-party client, tripId",
    ]

    @Test func `every published client gets what it reads by changing its base URL, and no error looks like a token`()
        throws
    {
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
        let served = try #require(facts["rows"] as? [String])
        #expect(served == Self.rows)
        for row in served { print("published client served: \(row)") }
    }
}
