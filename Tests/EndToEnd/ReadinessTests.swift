import ChildProcess
import Foundation
import Testing

/// What turns the checks of `/readyz` red, and green again, in the real binary.
@Suite struct ReadinessTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    // MARK: - signing

    /// A daemon whose signatures break while the file `order` is there.
    private func breakable() throws -> DaemonProcess {
        let library = files.scratch.path("broken_signatures.so")
        try Program.mustRun(
            "clang", ["-shared", "-fPIC", "-o", library, PythonClients.path("broken_signatures.c"), "-ldl"])
        return try DaemonProcess(
            scratch: files.scratch, key: files.key,
            environment: DaemonProcess.withAdmin.merging([
                "LD_PRELOAD": library, "BROKEN_SIGNATURES": files.scratch.path("order"),
            ]) { $1 })
    }

    @Test(arguments: [("fails", "OpenSSL could not"), ("wrong", "verif")])
    func `the signing check fails while signatures fail, and then recovers`(order: String, reason: String) throws {
        let daemon = try breakable()
        let admin = try daemon.adminURL()
        #expect(try Curl("\(admin)/readyz").status == 200)
        let kept = try Curl("\(daemon.url)/token?tripID=kept").body
        try files.scratch.write("order", order)
        // A probe counts for five seconds.
        try Patience.wait(for: "a red check", within: .seconds(60)) { try Curl("\(admin)/readyz").status == 503 }
        let checks = try #require(try Curl("\(admin)/readyz").json()["checks"] as? [String: String])
        #expect(checks["serving"] == "ok")
        let told = try #require(checks["signing"])
        #expect(told.hasPrefix("key \(files.key.keyID): ") && told.contains(reason), "\(told)")
        #expect(try Program.run(Program.daemon, ["health", "--ready", "--url", admin]).status == 1)
        #expect(try Scrape(admin)[#"ready{check="signing"}"#] == 0)
        #expect(try Curl("\(daemon.url)/token?tripID=kept").body == kept)
        if order == "fails" {
            let answer = try Curl("\(daemon.url)/token?tripID=new")
            #expect(answer.status == 503)
            #expect(try answer.json()["code"] as? String == "signing_unavailable")
        }
        try FileManager.default.removeItem(atPath: files.scratch.path("order"))
        try Patience.wait(for: "a green check", within: .seconds(60)) { try Curl("\(admin)/readyz").status == 200 }
        #expect(try Curl("\(daemon.url)/token?tripID=new").status == 200)
        #expect(try daemon.end() == 0)
    }

    // MARK: - issuers

    private static let rules = "rules:\n  - {name: everyone, kinds: [consumer], ids: {tripID: any}}"

    private func daemon(_ provider: String) throws -> DaemonProcess {
        let issuer = """
            issuers:
              - {issuer: "\(provider)", audiences: [token-provider], algorithms: [RS256], keys: "\(provider)/jwks"}
              - {issuer: \(CallerFiles.issuer), audiences: [token-provider], algorithms: [RS256], keys: keys.json}
            """
        return try DaemonProcess(
            ["serve", "--config", files.configuration(Self.rules, issuer: issuer)],
            environment: DaemonProcess.withAdmin, scratch: files.scratch)
    }

    @Test func `the issuers check fails until keys arrive, then passes permanently`() throws {
        var provider = try KeyServer()
        let place = provider.url
        provider.end()
        let apiKey = try files.apiKey("dispatch")
        let daemon = try daemon(place)
        let admin = try daemon.adminURL()
        let red = try Curl("\(admin)/readyz")
        #expect(red.status == 503)
        let told = "{\"signing\":\"ok\",\"issuers\":\"keys were not fetched yet: \(place)\",\"serving\":\"ok\"}"
        #expect(red.body == "{\"ready\":false,\"checks\":\(told)}\n")
        #expect(try Scrape(admin)[#"ready{check="issuers"}"#] == 0)
        // It is alive, and whoever needs no such key is served.
        #expect(try Curl("\(admin)/healthz").status == 200)
        #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: apiKey).status == 200)
        #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: files.token()).status == 200)
        // A reload that leaves the issuer as it was makes nothing of it better or worse.
        #expect(try Program.run(Program.daemon, ["reload", "--url", admin]).status == 0)
        #expect(try Curl("\(admin)/readyz").status == 503)
        provider = try KeyServer(at: place)
        try Patience.wait(for: "keys", within: .seconds(120)) { try Curl("\(admin)/readyz").status == 200 }
        #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: provider.token()).status == 200)
        provider.end()
        #expect(try Program.run(Program.daemon, ["reload", "--url", admin]).status == 0)
        #expect(try Curl("\(admin)/readyz").json()["ready"] as? Bool == true)
    }

    @Test func `removing an issuer from the configuration ends its effect on readiness`() throws {
        let provider = try KeyServer()
        provider.end()
        let daemon = try daemon(provider.url)
        let admin = try daemon.adminURL()
        #expect(try Curl("\(admin)/readyz").status == 503)
        _ = try files.configuration(Self.rules)
        #expect(try Program.run(Program.daemon, ["reload", "--url", admin]).status == 0)
        #expect(
            try Curl("\(admin)/readyz").body == "{\"ready\":true,\"checks\":{\"signing\":\"ok\",\"serving\":\"ok\"}}\n")
    }
}
