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

    // MARK: - keys and clocks at other services

    @Test func `a key that Google no longer publishes is a warning`() throws {
        let google = try LoopbackGoogle(in: files.scratch)
        let key = try #require(google.files["service_account"])
        let config = try files.scratch.write(
            "published.yaml",
            """
            {listen: "127.0.0.1:0", callers: none, credentials: \(key),
            google: {keys: "\(google.url)", keys_interval: 1s}}
            """)
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let admin = try daemon.adminURL()
        try Patience.wait(for: "two questions") { try google.requests("/service_accounts/v1/jwk") > 1 }
        #expect(try Curl("\(admin)/readyz").json()["warnings"] == nil)
        try google.fail(#"[{"fault": "unavailable", "path": "/service_accounts/v1/jwk"}]"#)
        let asked = try google.requests("/service_accounts/v1/jwk")
        try Patience.wait(for: "questions without an answer") {
            try google.requests("/service_accounts/v1/jwk") > asked + 1
        }
        #expect(try Curl("\(admin)/readyz").json()["warnings"] == nil)
        try google.fail("[]")
        try google.rotate("key-holder@my-fleet.iam.gserviceaccount.com", keepingOld: false)
        try Patience.wait(for: "a warning") { try Curl("\(admin)/readyz").json()["warnings"] != nil }
        let ready = try Curl("\(admin)/readyz")
        #expect(ready.status == 200 && ready.body.contains("Google does not publish the key"), "\(ready.body)")
        #expect(try #require(try daemon.cure(of: "signing")).contains("gcloud iam service-accounts keys list"))
        let again = try google.requests("/service_accounts/v1/jwk")
        try Patience.wait(for: "more questions") { try google.requests("/service_accounts/v1/jwk") > again + 1 }
        // What is known survives a reload.
        try google.fail(#"[{"fault": "unavailable", "path": "/service_accounts/v1/jwk"}]"#)
        #expect(try Program.run(Program.daemon, ["reload", "--url", admin]).status == 0)
        #expect(try Curl("\(admin)/readyz").json()["warnings"] != nil)
        #expect(try daemon.end() == 0)
        let lines = try daemon.log().split(separator: "\n").filter { $0.contains("does not publish a key") }
        #expect(lines.count == 1, "\(lines)")
    }

    @Test func `another key under a published id is a warning`() throws {
        let google = try LoopbackGoogle(in: files.scratch)
        func json(_ path: String) throws -> [String: Any] {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
        var key = try json(#require(google.files["service_account"]))
        key["private_key"] = try json(files.key.path)["private_key"]
        try files.scratch.write(
            "other.json", String(decoding: JSONSerialization.data(withJSONObject: key), as: UTF8.self))
        let config = try files.scratch.write(
            "other.yaml",
            """
            {listen: "127.0.0.1:0", callers: none, credentials: other.json,
            google: {keys: "\(google.url)", keys_interval: 1s}}
            """)
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let admin = try daemon.adminURL()
        try Patience.wait(for: "a warning") { try Curl("\(admin)/readyz").json()["warnings"] != nil }
        #expect(try Curl("\(admin)/readyz").body.contains("Google does not publish the key"))
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: [(-1230.0, "20 min behind"), (1230, "20 min ahead of"), (30, nil)])
    func `a clock far from the provider's is a warning`(offset: Double, words: String?) throws {
        let clock = try FakeClock(in: files.scratch)
        try clock.set(offset)
        let provider = try KeyServer()
        let issuer = """
            issuers:
              - {issuer: "\(provider.url)", audiences: [token-provider], algorithms: [RS256], keys: "\(provider.url)/jwks"}
            """
        let daemon = try DaemonProcess(
            ["serve", "--config", files.configuration(Self.rules, issuer: issuer)],
            environment: clock.environment.merging(DaemonProcess.withAdmin) { $1 }, scratch: files.scratch)
        let admin = try daemon.adminURL()
        try Patience.wait(for: "keys") { try Curl("\(admin)/readyz").status == 200 }
        #expect(try Program.run(Program.daemon, ["reload", "--url", admin]).status == 0)
        let endpoint = String(provider.url.dropFirst("http://".count))
        try Patience.wait(for: "a second fetch") {
            try Scrape(admin)[#"clock_difference_seconds{endpoint="\#(endpoint)"}"#] != nil
        }
        let difference = try #require(try Scrape(admin)[#"clock_difference_seconds{endpoint="\#(endpoint)"}"#])
        #expect(abs(difference - offset) < 10)
        let warnings = try Curl("\(admin)/readyz").json()["warnings"] as? [String]
        #expect(warnings == words.map { ["this machine's clock is \($0) that of \(endpoint)"] })
        #expect(try daemon.cure(of: "serving")?.contains("timedatectl") == words.map { _ in true })
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("the clock is wrong") == (words != nil))
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
