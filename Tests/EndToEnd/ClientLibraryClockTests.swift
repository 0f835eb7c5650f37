import Foundation
import Testing

/// The client library's clock and the daemon's move together through a day: `faketime` does that to the daemon.
@Suite struct ClientLibraryClockTests {
    @Test func `ten thousand calls in a day get no dead token`() throws {
        let scene = try ClientLibraryScene()
        let scratch = scene.files.scratch
        let clock = try scratch.write("clock", "+0\n")
        let daemon = try scene.daemon(
            """
            token: {lifetime: 15m, backdate: 0s, client_margin: 60s}
            limits: {principal_rate: 0}
            rules: [{name: all, kinds: [driver], ids: {vehicleID: any}}]
            """, environment: ClockTests.faketime(reading: clock))
        try scene.app.tell("credentials \(scene.provider.token(expiringAfter: 2 * 86_400))")
        let answer = try scene.app.answer(to: "day vehicle:v-1 10000 8.64 \(clock)")
        #expect(answer.served == 10_000)
        // Each has more than the server's margin left.
        #expect(try #require(answer.secondsLeft) > 60)
        let requests = try daemon.tokenRequests()
        // A token may be used for 839 s, and its renewal begins with between 251 s and 335 s left.
        #expect((100...200).contains(requests), "\(requests) requests")
        #expect(Double(answer.tokens.count) <= requests)
        #expect(try daemon.end() == 0)
    }
}
