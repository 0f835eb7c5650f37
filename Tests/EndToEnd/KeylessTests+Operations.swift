import TestSupport
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

    @Test func `an account that Google fails for costs the others nothing`() throws {
        let consumer = "consumer-tokens@my-fleet.iam.gserviceaccount.com"
        let daemon = try daemon(
            try #require(google.files["authorized_user"]), settings: "kinds: {consumer: {sign_as: \(consumer)}}\n")
        try google.fail(#"[{"fault": "garbage", "path": "\#(consumer):signJwt"}]"#)
        // More than the calls by which an account is judged.
        for number in 0..<25 { #expect(try Curl("\(daemon.url)/token?tripID=trip-\(number)").status == 503) }
        try daemon.waitForLog("remote signing paused")
        for number in 0..<25 { _ = try token(daemon, "vehicleID=v-\(number)") }
        #expect(try Curl("\(daemon.url)/token?tripID=trip-9").status == 503)
        let line = try #require(try daemon.log().split(separator: "\n").first { $0.contains("remote signing paused") })
        #expect(line.contains(consumer) && line.contains("20 of 20 calls failed"), "\(line)")
    }

    @Test func `an outage of Google spares tokens with a shortened lifetime`() throws {
        let backEnd = try BackEnd()
        let config = try scratch.write(
            "token-provider.yaml",
            """
            listen: 127.0.0.1:0
            credentials: \(try #require(google.files["authorized_user"]))
            sign_as: \(Self.driver)
            cache: {reuse_fraction: 0.02}
            forward_auth: {url: "\(backEnd.url)", cache_time: 0s}
            rules: [{name: vehicles, kinds: [driver], forward_auth: true}]
            \(google.settings)
            """)
        let daemon = try DaemonProcess(["serve", "--config", config], scratch: scratch)
        let first = try token(daemon, "vehicleID=minute-1")
        try google.fail(#"[{"fault": "permission_denied", "path": "signJwt"}]"#)
        // After two seconds a key in the daemon would sign another.
        sleep(3)
        #expect(try token(daemon, "vehicleID=minute-1") == first)
        #expect(try Curl("\(daemon.url)/token?vehicleID=minute-2").status == 503)
    }

    @Test func `only a daemon that asks Google loads libcurl`() throws {
        func loadsCurl(_ daemon: DaemonProcess) throws -> Bool {
            _ = try token(daemon)
            let maps = try Child.mustRun(["cat", "/proc/\(daemon.process.identifier)/maps"])
            #expect(maps.contains("libcrypto"))
            return maps.contains("libcurl")
        }
        let key = try ServiceAccountFile(in: scratch)
        #expect(try !loadsCurl(daemon(key.path, signAs: nil)))
        let login = try #require(google.files["authorized_user"])
        #expect(try loadsCurl(daemon(login)))
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

    @Test func `a silent metadata server is waited for a second`() throws {
        let facts = try PythonClients.run("silent_metadata.py", [Program.daemon])
        // Other requests for an access token may take ten seconds.
        #expect(try #require(facts["longest"] as? Double) < 10, "\(facts)")
        #expect(facts["asked"] as? [String] == ["GET /"])
        let commands = try #require(facts["commands"] as? [String: [String: Any]])
        let expected = [
            ("serve", 1, "the metadata server gave no account: 127.0.0.1:"),
            ("doctor", 1, "no metadata server answers at 127.0.0.1:"),
            ("doctor with sign_as", 1, "no metadata server answers at 127.0.0.1:"),
            ("reload", 1, "not reloaded: no credentials were found: "),
            ("reload with sign_as", 0, "reloaded"),
        ]
        #expect(commands.count == expected.count)
        for (name, status, said) in expected {
            let command = try #require(commands[name])
            #expect(command["status"] as? Int == status, "\(name): \(command)")
            #expect((command["said"] as? String)?.contains(said) == true, "\(name): \(command)")
        }
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
        // No token of another kind was asked for.
        #expect(warning.contains("; no consumer, "), "\(warning)")
        #expect(warning.contains(" token is cached; cached driver tokens last until "), "\(warning)")
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

    @Test func `readiness warns while Google's quota is used up`() throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        _ = try token(daemon)
        try google.fail(#"[{"fault": "too_many_requests", "path": "signJwt", "seconds": 60}]"#)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-2").status == 503)
        let answer = try Curl("\(daemon.adminURL())/readyz").json()
        #expect(answer["ready"] as? Bool == true)
        let warning = try #require((answer["warnings"] as? [String])?.first, "\(answer)")
        #expect(warning.contains("RATE_LIMIT_EXCEEDED"), "\(warning)")
    }

    @Test func `readiness says which kinds are still signed`() throws {
        let key = try ServiceAccountFile(in: scratch)
        let daemon = try daemon(
            try #require(google.files["authorized_user"]), signAs: nil,
            settings: "kinds:\n  enabled: [consumer, driver]\n  driver: {sign_as: \(Self.driver)}\n"
                + "  consumer: {credentials: \(key.path)}\n")
        try google.fail(#"[{"fault": "permission_denied", "path": "signJwt"}]"#)
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1").status == 503)
        #expect(try Curl("\(daemon.url)/token?tripID=t-1").status == 200)
        let answer = try Curl("\(daemon.adminURL())/readyz").json()
        #expect(answer["ready"] as? Bool == true)
        let warning = try #require((answer["warnings"] as? [String])?.first, "\(answer)")
        #expect(warning.hasSuffix("; no driver token is cached; consumer tokens are signed"), "\(warning)")
        // Nothing is left without the other kind.
        try reload(
            daemon, try #require(google.files["authorized_user"]), signAs: nil,
            settings: "kinds: {enabled: [driver], driver: {sign_as: \(Self.driver)}}\n")
        let later = try Curl("\(daemon.adminURL())/readyz")
        #expect(later.status == 503)
        let reason = try #require((try later.json()["checks"] as? [String: String])?["signing"])
        #expect(reason.hasPrefix("Google has signed no token of \(Self.driver) since "), "\(reason)")
        #expect(reason.contains("403 IAM_PERMISSION_DENIED") && reason.contains("serviceAccountTokenCreator"))
    }

    @Test func `while Google is down a token is served until the margin`() throws {
        let daemon = try daemon(
            try #require(google.files["authorized_user"]),
            settings: "token: {lifetime: 20s, backdate: 0s, client_margin: 10s}\n")
        let end = Double(try #require(try JSONWebToken.claims(of: token(daemon))["exp"] as? Int))
        try google.fail(#"[{"fault": "unavailable"}]"#)
        func left() -> Double { end - Date().timeIntervalSince1970 }
        var last = Double.infinity
        try Patience.wait(for: "a refusal") {
            let before = left()
            let answer = try Curl("\(daemon.url)/token?vehicleID=v-1")
            guard answer.status != 200 else {
                last = before
                return false
            }
            #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
            return true
        }
        // The daemon counts whole seconds.
        #expect(left() <= 10)
        #expect(last > 9 && last <= 20, "\(last) s were left of the last token")
    }

    @Test func `beyond the quota the answer says when to ask again`() throws {
        // One signature at once, and another every 12 s.
        let daemon = try daemon(try #require(google.files["authorized_user"]), settings: "signing: {quota: 6}\n")
        _ = try token(daemon)
        let refused = try (0..<3).map { try Curl("\(daemon.url)/token?vehicleID=new-\($0)") }
        #expect(refused.allSatisfy { $0.status == 503 })
        let waits = refused.compactMap { $0.fields["retry-after"].flatMap { Int($0) } }
        // Each gets the time of another signature, so that they do not all come back at once.
        #expect(waits.count == 3 && waits[0] >= 1 && waits[0] < waits[2], "\(waits)")
        // That is our limit, and no outage of Google's.
        let ready = try Curl("\(daemon.adminURL())/readyz").json()
        #expect((ready["warnings"] as? [String] ?? []).isEmpty, "\(ready)")
        try daemon.waitForLog("tokens are not signed for now")
        #expect(try !daemon.log().contains("tokens cannot be signed"))
        #expect(try google.requests("signJwt") == 1)
        // A reload for another reason gives no second quota.
        try reload(
            daemon, try #require(google.files["authorized_user"]),
            signAs: "token-provider@my-fleet.iam.gserviceaccount.com", settings: "signing: {quota: 6}\n")
        #expect(try Curl("\(daemon.url)/token?vehicleID=v-1").status == 503)
        try Patience.wait(for: "another signature") {
            try Curl("\(daemon.url)/token?vehicleID=v-1").status == 200
        }
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
