import ChildProcess
import Foundation
import Testing

/// What operators see of tokens that Google signs.
extension KeylessTests {
    @Test func `without any setting the credentials are searched for`() throws {
        let environment = ["GCE_METADATA_HOST": google.host, "HOME": scratch.path("home")]
        let daemon = try daemon("", signAs: nil, environment: environment)
        let found = try JSONWebToken.claims(of: token(daemon))
        #expect(found["iss"] as? String == "token-provider@my-fleet.iam.gserviceaccount.com")
        let log = try daemon.log()
        #expect(log.contains("no file of credentials was found; "), "\(log)")
    }

    @Test func `without credentials anywhere the start fails with one sentence`() throws {
        let config = try scratch.write("c.yaml", "callers: none\nlisten: 127.0.0.1:0\nadmin: {listen: []}\n")
        // No server answers there, as on a machine that is not Google's.
        let environment = ["GCE_METADATA_HOST": "127.0.0.1:1", "HOME": scratch.path("home")]
        let outcome = try Program.run(Program.daemon, ["serve", "--config", config], environment: environment)
        // Not 78: the metadata server may answer later, so a service manager should start it again.
        #expect(outcome.status == 1)
        let sentences = outcome.errors.split(separator: "\n").filter { $0.contains("no credentials were found") }
        #expect(sentences.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("--credentials FILE"), "\(outcome.errors)")
    }

    @Test func `jwks writes the published keys of remote accounts`() throws {
        let path = try #require(google.files["authorized_user"])
        let config = try scratch.write(
            "c.yaml", "callers: none\ncredentials: \(path)\nsign_as: \(Self.driver)\n\(google.settings)")
        let outcome = try Program.run(Program.daemon, ["jwks", "--config", config])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let daemon = try daemon(path)
        let token = try token(daemon)
        let keys = try scratch.write("keys.json", outcome.output)
        let report = try Program.run(Program.daemon, ["inspect", "--key", keys, token])
        #expect(report.status == 0, "\(report.output)\(report.errors)")
        try google.fail(#"[{"fault": "unavailable"}]"#)
        let failed = try Program.run(Program.daemon, ["jwks", "--config", config])
        #expect(failed.status == 1)
        #expect(failed.errors.contains(Self.driver), "\(failed.errors)")
    }

    @Test func `readiness says until when cached tokens last`() throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        _ = try token(daemon)
        try google.fail(#"[{"fault": "permission_denied", "path": "signJwt"}]"#)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-2").status == 503)
        let admin = try daemon.adminURL()
        var answer: [String: Any] = [:]
        try Patience.wait(for: "a warning of /readyz") {
            answer = try Curl("\(admin)/readyz").json()
            return (answer["warnings"] as? [String])?.isEmpty == false
        }
        #expect(answer["ready"] as? Bool == true)
        let warning = try #require((answer["warnings"] as? [String])?.first)
        #expect(warning.contains("Google has signed no token of \(Self.driver) since "))
        #expect(warning.contains("; cached tokens last until "))
        let cure = try #require(try daemon.cure(of: "signing")).split(separator: "\n")
        #expect(
            cure.first
                == "grant the person who logged in the role roles/iam.serviceAccountTokenCreator on \(Self.driver)")
        #expect(cure.last?.hasPrefix("gcloud iam service-accounts add-iam-policy-binding \(Self.driver) ") == true)
        let data = try Curl("\(admin)/console/data.json").json()
        let keys = try #require((data["published_keys"] as? [[String: Any]])?.first)
        #expect(keys["name"] as? String == Self.driver && keys["failure"] is NSNull)
        #expect(try 0...3600 ~= #require(keys["seconds"] as? Int), "\(keys)")
        let metrics = try Curl("\(admin)/metrics").body
        #expect(metrics.contains("token_provider_remote_outages{account=\"\(Self.driver)\"} 1"))
        #expect(metrics.contains("token_provider_ready{check=\"signing\"} 1"))
        #expect(metrics.contains("token_provider_access_token_remaining_seconds{credentials=\""))
        // The outage of an account that is not used any more does not matter.
        let other = "token-provider@my-fleet.iam.gserviceaccount.com"
        try scratch.write(
            "token-provider.yaml",
            "callers: none\ncredentials: \(try #require(google.files["authorized_user"]))\nsign_as: \(other)\n"
                + google.settings)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        let later = try Curl("\(admin)/readyz").json()
        #expect((later["warnings"] as? [String] ?? []).isEmpty, "\(later)")
    }

    @Test func `the audit log names the account that signed`() throws {
        let log = scratch.path("audit.log")
        let daemon = try daemon(
            try #require(google.files["authorized_user"]), settings: "audit: {output: file, file: \(log)}\n")
        _ = try token(daemon)
        let line = try String(contentsOfFile: log, encoding: .utf8)
        #expect(line.contains("\"signer\":\"\(Self.driver)\""), "\(line)")
    }
}
