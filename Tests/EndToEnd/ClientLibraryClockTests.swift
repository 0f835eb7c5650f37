import Foundation
import TestSupport
import Testing

/// The client library through a whole day: `faketime` moves the daemon's clock, and the program its own.
@Suite(.blocking) struct ClientLibraryClockTests {
    /// How long a token lives, and how long before its end it is to be replaced, in seconds.
    private static let (lifetime, margin) = (600, 60)

    let scene: ClientLibraryScene
    let clock: FakeClock

    init() throws {
        scene = try ClientLibraryScene()
        clock = try FakeClock(in: scene.files.scratch)
    }

    @Test func `ten thousand calls in a day get no token within its margin`() throws {
        let daemon = try scene.daemon(
            """
            limits: {principal_rate: 0, address_rate: 0}
            token: {lifetime: \(Self.lifetime)s, client_margin: \(Self.margin)s}
            rules: [{name: all, kinds: [driver], ids: {vehicleID: any}}]
            """, environment: clock.environment)
        try scene.app.tell("credentials \(scene.provider.token(expiringAfter: 2 * 86_400))")
        let day = try scene.app.answer(to: "pass vehicle:v-1 10000 8.64 \(clock.file)")
        #expect(day.errors == [])
        #expect(day.served == 10_000)
        #expect(try #require(day.leastLeft) > Double(Self.margin))
        // A token is backdated by five minutes, and renewed once about half of the other five have passed.
        #expect((400...800).contains(day.tokens.count))
        #expect(try daemon.tokenRequests() < 1000)
        #expect(try daemon.end() == 0)
    }
}
