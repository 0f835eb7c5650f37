import Foundation
import TestSupport
import Testing

/// How long a withdrawal takes in the real binary, whose machine is suspended for as long: a deadline of trust holds
/// meanwhile.
@Suite(.blocking) struct WithdrawalTests: AskingBackEnd {
    private static let rules = "rules: [{name: everyone, kinds: [consumer], ids: {tripID: any}}]"

    let files: OperatorFiles
    let backEnd: BackEnd
    private let callers: CallerFiles
    private let clock: SuspendedClock

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
        callers = try CallerFiles()
        clock = try SuspendedClock(in: files.scratch)
    }

    /// A daemon that fetches the keys of an issuer.
    private func daemon(_ provider: KeyServer, _ setting: String = "") throws -> DaemonProcess {
        let issuer = """
            issuers:
              - issuer: \(provider.url)
                audiences: [token-provider]
                algorithms: [RS256]
                keys: \(provider.url)/jwks
                \(setting)
            """
        return try callers.daemon(Self.rules, issuer: issuer, environment: clock.environment)
    }

    private func status(_ daemon: DaemonProcess, _ credentials: String) throws -> Int {
        try Curl("\(daemon.url)/token?tripID=trip-1", bearer: credentials).status
    }

    @Test func `a key that its issuer withdrew ends within an hour`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try daemon(provider)
        let token = try provider.token(expiringAfter: 20_000)
        #expect(try status(daemon, token) == 200)
        try provider.rotate()
        #expect(try status(daemon, token) == 200)
        try clock.set(3601)
        try Patience.wait(for: "the new keys") { try status(daemon, token) == 401 }
        #expect(try daemon.end() == 0)
    }

    @Test func `all keys that an issuer withdrew end with a reload`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try daemon(provider)
        let token = try provider.token()
        #expect(try status(daemon, token) == 200)
        try provider.withdraw()
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(#"removed="rsa-1, ec-1, ed-1""#)
        #expect(try status(daemon, token) == 503)
        #expect(try daemon.end() == 0)
    }

    @Test func `keys of an unreachable issuer end after keep_keys`() throws {
        let provider = try KeyServer()
        let daemon = try daemon(provider, "keep_keys: 2h")
        let token = try provider.token(expiringAfter: 20_000)
        #expect(try status(daemon, token) == 200)
        provider.end()
        try clock.set(3601)
        try daemon.waitForLog("keys could not be fetched")
        #expect(try status(daemon, token) == 200)
        try clock.set(7201)
        try Patience.wait(for: "the end of the keys") { try status(daemon, token) == 503 }
        try daemon.waitForLog("cached keys expired")
        #expect(try daemon.end() == 0)
    }

    @Test func `a key removed from an issuer's file ends with a reload`() throws {
        let daemon = try callers.daemon(Self.rules)
        let token = try callers.token()
        let new = try ServiceAccountFile(in: callers.scratch, name: "new", keyID: "new-key")
        #expect(try status(daemon, token) == 200)
        try callers.scratch.write(
            "keys.json", Program.mustRun(Program.daemon, ["jwks", "--credentials", new.path]))
        #expect(try status(daemon, token) == 200)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("keys were read added=new-key issuer=\(CallerFiles.issuer) keys=1 removed=issuer-key")
        #expect(try status(daemon, token) == 401)
        #expect(try status(daemon, callers.token(header: ["kid": "new-key"], by: new)) == 200)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("keys were read again and are the same issuer=\(CallerFiles.issuer) keys=1")
        #expect(try daemon.end() == 0)
    }

    @Test func `an API key ends when it expires`() throws {
        let end = Date.now.addingTimeInterval(3600).formatted(.iso8601)
        let key = try callers.apiKey("dispatch", ["--expires", end])
        let daemon = try callers.daemon(Self.rules, environment: clock.environment)
        #expect(try status(daemon, key) == 200)
        try clock.set(3601)
        #expect(try status(daemon, key) == 401)
        #expect(try daemon.end() == 0)
    }

    @Test func `a back end's decision ends after cache_time`() throws {
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

    @Test func `keys that Google withdrew verify no signature after an hour`() throws {
        let keyless = try KeylessTests()
        let daemon = try keyless.daemon(
            try #require(keyless.google.files["authorized_user"]), environment: clock.environment)
        _ = try keyless.token(daemon)
        try keyless.google.fail(#"[{"fault": "account_missing", "path": "/jwk/"}]"#)
        _ = try keyless.token(daemon, "vehicleID=v-2")
        try clock.set(3601)
        // Its keys are known until those that are fetched meanwhile have come.
        _ = try Curl("\(daemon.url)/token?vehicleID=v-3")
        try daemon.waitForLog("published keys were withdrawn account=\(KeylessTests.driver)")
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-4").status == 503)
        try keyless.google.fail("[]")
        try Patience.wait(for: "the next keys") { try Curl("\(daemon.url)/token?vehicleID=v-5").status == 200 }
        #expect(try daemon.end() == 0)
    }

    @Test func `an access token ends when it expires`() throws {
        let keyless = try KeylessTests()
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
