import TestSupport
import Dispatch
import HTTPServer
import Testing

@testable import ServiceConfiguration
@testable import TokenProvider
@testable import TokenService

/// A busy server, and a second one that reports whether the first is alive.
@Suite struct LivenessTests {
    private let busy: Server
    private let reporter: Server
    private let release = DispatchSemaphore(value: 0)

    init() throws {
        var settings = ServerSettings()
        settings.loops = 2
        let release = release
        let busy = try Server(
            listeningOn: [PlainListener(.ipv4(0x7F00_0001, port: 0))], settings: settings,
            application: HTTPApplication(
                respond: { _, _ in
                    release.wait()
                    return .now(ProblemAnswer.answer(.unknownPath))
                }, refuse: { ProblemAnswer.answer($0) }))
        reporter = try Server(
            listeningOn: [PlainListener(.ipv4(0x7F00_0001, port: 0))], settings: settings,
            application: HTTPApplication(
                respond: { _, _ in busy.liveness() }, refuse: { ProblemAnswer.answer($0) }))
        self.busy = busy
        busy.start()
        reporter.start()
    }

    private func health() throws -> String {
        let address = try #require(reporter.addresses.first)
        return try Child.mustRun([
            "curl", "-sS", "-w", " %{http_code}", "--max-time", "600", address.url(isSecure: false),
        ])
    }

    @Test func `liveness fails while an event loop is stuck, then recovers`() throws {
        #expect(try health() == "{\"alive\":true}\n 200")
        let stuck = try Child(["curl", "-sS", "-o", "/dev/null", #require(busy.addresses.first).url(isSecure: false)])
        try Patience.wait(for: "the event loop to be stuck") { try health() == "{\"alive\":false}\n 503" }
        release.signal()
        #expect(try stuck.wait() == 0)
        #expect(try health() == "{\"alive\":true}\n 200")
        busy.stop()
        reporter.stop()
    }

    @Test func `a stopped server is not alive`() throws {
        busy.stop()
        busy.waitUntilStopped()
        #expect(try health() == "{\"alive\":false}\n 503")
        reporter.stop()
    }
}
