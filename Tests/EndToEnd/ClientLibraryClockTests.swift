import Foundation
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
            token: {lifetime: \(Self.lifetime)s, client_margin: \(Self.margin)s}
            rules: [{name: all, kinds: [driver], ids: {vehicleID: any}}]
            """, environment: clock.environment)
        try scene.app.tell("credentials \(scene.provider.token(expiringAfter: 2 * 86_400))")
        var expiries: [String: Double] = [:]
        var least = Double.infinity
        for call in 1...10_000 {
            // The daemon's clock first: a token then seems to live shorter, not longer.
            try clock.set(8.64 * Double(call))
            try scene.app.tell("advance 8.64")
            let answer = try scene.app.ask("vehicle:v-1")
            try #require(answer.served == 1, "call \(call): \(answer.errors)")
            let token = try #require(answer.tokens.first)
            let expiry = try expiries[token] ?? #require(JSONWebToken.claims(of: token)["exp"] as? Double)
            expiries[token] = expiry
            least = min(least, expiry - clock.now)
        }
        print("LEAST", least, expiries.count, try daemon.tokenRequests())
        #expect(least > Double(Self.margin))
        #expect(try daemon.end() == 0)
    }
}
