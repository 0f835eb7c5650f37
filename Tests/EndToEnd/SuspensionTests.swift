import Foundation
import TestSupport
import Testing

/// The machine is suspended while the real binary runs: what was trusted for a time is not trusted for longer.
@Suite(.blocking) struct SuspensionTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd
    private let clock: SuspendedClock

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
        clock = try SuspendedClock(in: files.scratch)
    }

    @Test func `a cached decision ends while the machine is suspended`() throws {
        let path = try configuration("cache_time: 10m", rules: "", more: "")
        let daemon = try DaemonProcess(
            ["serve", "--config", path], environment: clock.environment, scratch: files.scratch)
        for (suspended, questions) in [(0, 1), (0, 1), (601, 2), (601, 2)] as [(Int64, Int)] {
            try clock.set(suspended)
            #expect(try ask(daemon, "tripID=allow-1").status == 200)
            #expect(try backEnd.seen().questions.count == questions)
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `a withdrawn key ends while the machine is suspended`() throws {
        let callers = try CallerFiles()
        let provider = try KeyServer()
        defer { provider.end() }
        let issuer = """
            issuers:
              - {issuer: "\(provider.url)", audiences: [token-provider], algorithms: [RS256], keys: "\(provider.url)/jwks"}
            """
        let daemon = try callers.daemon(
            "rules: [{name: everyone, kinds: [consumer], ids: {tripID: any}}]", issuer: issuer,
            environment: clock.environment)
        let token = try provider.token(expiringAfter: 20_000)
        func status() throws -> Int { try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token).status }
        #expect(try status() == 200)
        try provider.rotate()
        #expect(try status() == 200)
        try clock.set(3601)
        try Patience.wait(for: "the new keys") { try status() == 401 }
        #expect(try provider.fetches() == 2)
        #expect(try daemon.end() == 0)
    }

    @Test func `an access token ends while the machine is suspended`() throws {
        let keyless = try KeylessTests()
        let clock = try SuspendedClock(in: keyless.scratch)
        let daemon = try keyless.daemon(
            try #require(keyless.google.files["authorized_user"]), environment: clock.environment)
        _ = try keyless.token(daemon)
        let fetched = try keyless.google.requests("/token")
        _ = try keyless.token(daemon, "vehicleID=v-2")
        #expect(try keyless.google.requests("/token") == fetched)
        try clock.set(3601)
        _ = try keyless.token(daemon, "vehicleID=v-3")
        #expect(try keyless.google.requests("/token") == fetched + 1)
        #expect(try daemon.end() == 0)
    }
}
