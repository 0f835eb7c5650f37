import Foundation
import TestSupport
import Testing

/// SIGHUP replaces callers' keys and rules together with certificates, or nothing.
@Suite(.blocking, .tags(.threadSanitizer)) struct ReloadTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test func `reloads under load decide correctly, and broken files change nothing`() throws {
        let other = try ServiceAccountFile(in: files.scratch, name: "other-issuer", keyID: "other-key")
        for (number, key) in [files.issuerKey, other].enumerated() {
            let keys = try Program.mustRun(Program.daemon, ["jwks", "--credentials", key.path])
            try files.scratch.write("jwks-\(number).json", keys)
        }
        let credentials = try [files.apiKey("first"), files.apiKey("second"), files.token(), files.token(by: other)]
        let facts = try PythonClients.run(
            "reload_decisions.py", [Program.daemon, files.scratch.folder.path, "30"] + credentials)
        #expect(facts["reloads"] as? Int == 30)
        #expect(try #require(facts["answers"] as? Int) > 1000)
    }

    @Test func `SIGHUP during the start reloads once the daemon listens`() throws {
        let fifo = files.scratch.path("configuration.fifo")
        try Program.mustRun("mkfifo", ["-m", "600", fifo])
        let file = try files.scratch.write(
            "content", "{listen: \"127.0.0.1:0\", callers: none, credentials: \(files.key.path)}")
        let daemon = try DaemonProcess(
            under: ["python3", PythonClients.path("early_hangup.py"), fifo, file], ["serve", "--config", fifo],
            scratch: files.scratch)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try daemon.end() == 0)
    }

    @Test func `SIGHUP revokes removed API keys and accepts new ones`() throws {
        let previous = try files.apiKey("dispatch")
        let daemon = try files.daemon(
            """
            rules:
              - {name: everyone, kinds: [consumer], ids: {tripID: any}}
            """)
        #expect(try ask(daemon, previous) == 200)
        try files.scratch.write("api-keys", "")
        let new = try files.apiKey("dispatch-2")
        let line = try #require(try files.scratch.text("api-keys").split(separator: "\n").last)
        try files.scratch.write("api-keys", "\(line)\n")
        #expect(try ask(daemon, new) == 401)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try ask(daemon, previous) == 401)
        #expect(try ask(daemon, new) == 200)
    }

    @Test func `a reload refuses a silent pipe and another user's pipe`() throws {
        let key = try files.apiKey("dispatch")
        let daemon = try files.daemon(
            """
            rules:
              - {name: everyone, kinds: [consumer], ids: {tripID: any}}
            """)
        let path = files.scratch.path("api-keys")
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        let silent = open(path, O_RDWR)
        defer { close(silent) }
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the program that writes to this pipe has not ended it in time")
        #expect(chmod(path, 0o622) == 0)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("others can write this file and so let themselves in")
        #expect(try ask(daemon, key) == 200)
        try FileManager.default.removeItem(atPath: path)
        let new = try files.apiKey("dispatch-2")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try ask(daemon, new) == 200)
    }

    @Test func `reloaded rules read other claims of an already verified token`() throws {
        let rules = [
            ("ids: {tripID: {claim: trips}}", [200, 403, 403]),
            ("ids: {tripID: {claim: fleet.trips}}", [403, 200, 403]),
            ("ids: {tripID: any}, claims: [{claim: groups, contains: riders}]", [200, 200, 200]),
            ("ids: {tripID: any}, claims: [{claim: groups, contains: others}]", [403, 403, 403]),
            ("ids: {tripID: {claim: trips}}", [200, 403, 403]),
        ].map { ("rules: [{name: own, kinds: [consumer], \($0)}]\nlimits: {failure_rate: 0}", $1) }
        let daemon = try files.daemon(rules[0].0)
        let token = try files.token(["trips": ["trip-1"], "fleet": ["trips": ["trip-2"]], "groups": ["riders"]])
        for (number, (text, statuses)) in rules.enumerated() {
            if number > 0 {
                _ = try files.configuration(text)
                daemon.process.send(SIGHUP)
                try daemon.waitForLog("the configuration was reloaded", times: number)
            }
            // The second request uses the cached verification of the token.
            for _ in 1...2 {
                for (trip, status) in zip(1...3, statuses) {
                    let answer = try Curl("\(daemon.url)/token?tripID=trip-\(trip)", bearer: token)
                    #expect(answer.status == status, "trip-\(trip) by \(text)")
                }
            }
        }
    }

    @Test func `an unreachable new identity provider is rejected, and the previous one stays`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try files.daemon(Self.rules)
        let token = try files.token()
        #expect(try ask(daemon, token) == 200)
        try reload(daemon, provider.url, "the configuration was reloaded")
        #expect(try ask(daemon, token) == 401)
        #expect(try ask(daemon, provider.token()) == 200)
        let gone = try KeyServer()
        gone.end()
        try reload(daemon, gone.url, "not reloaded")
        #expect(try ask(daemon, provider.token()) == 200)
    }

    @Test func `a reload refuses texts that only Unicode takes for the same`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        func issuer(_ audience: String) -> String { Self.issuer(provider.url, audience: audience) }
        let daemon = try files.daemon(Self.rules, issuer: "issuers: [\(issuer("f\u{E4}hre"))]")
        _ = try files.configuration(Self.rules, issuer: "issuers: [\(issuer("fa\u{308}hre"))]")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("issuers[0].audiences: is not in Unicode's Normalization Form C; expected")
        #expect(try daemon.end() == 0)
    }

    @Test func `a reload removes an issuer even while another issuer is unreachable`() throws {
        let (first, second) = (try KeyServer(), try KeyServer())
        defer { second.end() }
        let (mine, others) = (try first.token(), try second.token())
        let both = [first.url, second.url].map { Self.issuer($0) }.joined(separator: ", ")
        let daemon = try files.daemon(Self.rules, issuer: "issuers: [\(both)]")
        #expect(try ask(daemon, mine) == 200)
        #expect(try ask(daemon, others) == 200)
        first.end()
        _ = try files.configuration(Self.rules, issuer: "issuers: [\(Self.issuer(first.url))]")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try ask(daemon, others) == 401)
        // The issuer's keys stay cached through the outage, also for tokens that were never seen.
        #expect(try ask(daemon, mine) == 200)
    }

    @Test func `a reload replaces callers and certificates together or not at all`() throws {
        let authority = try TestAuthority().certify("server")
        let tls = "tls: {listen: 127.0.0.1:0, certificates: [{certificate: server.pem, key: server.key}]}"
        try install(authority, "server")
        let key = try files.apiKey("dispatch")
        let daemon = try files.daemon("\(Self.rules)\n\(tls)")
        try files.scratch.write("api-keys", "")
        try files.scratch.write("server.pem", "")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("server.pem: is empty; expected ")
        #expect(try ask(daemon, key) == 200)
        // A valid certificate for another name, together with invalid rules.
        try install(authority.certify("other", for: ["other.example"]), "other")
        _ = try files.configuration("rules: [{name: a, kinds: nonsense}]\n\(tls)")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("rules[0].kinds")
        let trusting = ["--cacert", authority.path]
        #expect(try Curl("\(daemon.secureURL())/healthz", trusting).status == 200)
        _ = try files.configuration("\(Self.rules)\n\(tls)")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(try ask(daemon, key) == 401)
        #expect(throws: (any Error).self) { try Curl("\(daemon.secureURL())/healthz", trusting) }
    }

    // MARK: -

    private func install(_ authority: TestAuthority, _ name: String) throws {
        for end in ["pem", "key"] {
            let text = String(decoding: try authority.bytes("\(name).\(end)"), as: UTF8.self)
            try files.scratch.write("server.\(end)", text)
        }
    }

    private static func issuer(_ url: String, audience: String = "token-provider") -> String {
        "{issuer: \"\(url)\", audiences: [\(audience)], algorithms: [RS256]}"
    }

    private static let rules = """
        rules:
          - {name: everyone, kinds: [consumer], ids: {tripID: any}}
        """

    /// Replaces the issuer and waits for the words in the log.
    private func reload(_ daemon: DaemonProcess, _ url: String, _ words: String) throws {
        _ = try files.configuration(Self.rules, issuer: "issuers: [\(Self.issuer(url))]")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog(words)
    }

    private func ask(_ daemon: DaemonProcess, _ bearer: String) throws -> Int {
        try Curl("\(daemon.url)/token?tripID=trip-1", bearer: bearer).status
    }
}
