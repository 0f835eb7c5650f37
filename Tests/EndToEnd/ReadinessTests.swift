import TestSupport
import Foundation
import Testing

/// When the checks of `/readyz` fail and recover, with the real binary.
@Suite(.blocking) struct ReadinessTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    // MARK: - signing

    /// A daemon whose signatures fail while the file `order` exists.
    private func breakable() throws -> DaemonProcess {
        let broken = try BrokenSignatures(in: files.scratch)
        return try DaemonProcess(
            scratch: files.scratch, key: files.key,
            environment: DaemonProcess.withAdmin.merging(broken.environment) { $1 })
    }

    @Test(arguments: [("fails", "OpenSSL could not"), ("wrong", "verif")])
    func `the signing check fails while signatures fail, and then recovers`(order: String, reason: String) throws {
        let daemon = try breakable()
        let admin = try daemon.adminURL()
        #expect(try Curl("\(admin)/readyz").status == 200)
        let cached = try Curl("\(daemon.url)/token?tripID=kept").body
        try files.scratch.write("order", order)
        // The result of a probe is used for five seconds.
        try Patience.wait(for: "a failing check") { try Curl("\(admin)/readyz").status == 503 }
        let checks = try #require(try Curl("\(admin)/readyz").json()["checks"] as? [String: String])
        #expect(checks["serving"] == "ok")
        let reported = try #require(checks["signing"])
        #expect(reported.hasPrefix("key \(files.key.keyID): ") && reported.contains(reason), "\(reported)")
        #expect(try Program.run(Program.daemon, ["health", "--ready", "--url", admin]).status == 1)
        #expect(try Scrape(admin)[#"ready{check="signing"}"#] == 0)
        #expect(try Curl("\(daemon.url)/token?tripID=kept").body == cached)
        if order == "fails" {
            let answer = try Curl("\(daemon.url)/token?tripID=new")
            #expect(answer.status == 503)
            #expect(try answer.json()["code"] as? String == "signing_unavailable")
        }
        try FileManager.default.removeItem(atPath: files.scratch.path("order"))
        try Patience.wait(for: "a passing check") { try Curl("\(admin)/readyz").status == 200 }
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
        let address = provider.url
        provider.end()
        let apiKey = try files.apiKey("dispatch")
        let daemon = try daemon(address)
        let admin = try daemon.adminURL()
        let failing = try Curl("\(admin)/readyz")
        #expect(failing.status == 503)
        let checks = "{\"signing\":\"ok\",\"issuers\":\"keys were not fetched yet: \(address)\",\"serving\":\"ok\"}"
        #expect(failing.body == "{\"ready\":false,\"checks\":\(checks)}\n")
        #expect(try Scrape(admin)[#"ready{check="issuers"}"#] == 0)
        // The daemon is alive, and serves callers that do not need the missing keys.
        #expect(try Curl("\(admin)/healthz").status == 200)
        #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: apiKey).status == 200)
        #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: files.token()).status == 200)
        // A reload that does not change the issuer does not change the check.
        #expect(try Program.run(Program.daemon, ["reload", "--url", admin]).status == 0)
        #expect(try Curl("\(admin)/readyz").status == 503)
        provider = try KeyServer(at: address)
        try Patience.wait(for: "keys") { try Curl("\(admin)/readyz").status == 200 }
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
