import TestSupport
import Foundation
import Testing

/// The real binary with the keys of identity providers: found, changed, lost and found again.
@Suite(.blocking, .tags(.threadSanitizer)) struct IdentityProviderTests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test(arguments: ["canaille", "oidc-provider-mock"])
    func `a provider's keys are discovered, survive an outage and are replaced`(
        provider: String
    ) throws {
        let facts = try PythonClients.runProvider(
            "provider_rotation.py", [provider, Program.daemon, files.scratch.folder.path])
        // Once refused, a token of the previous keys is never accepted again, and there was no other status.
        #expect(facts["order"] as? [Int] == [200, 401])
    }

    @Test func `unknown keys cause one fetch in 30 s, which finds new keys`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try daemon(provider)
        let old = try provider.token()
        #expect(try ask(daemon, old).status == 200)
        #expect(try provider.fetches() == 1)
        try provider.rotate()
        try PythonClients.runProvider("unknown_keys.py", ["127.0.0.1", daemon.port, provider.url, "named"])
        #expect(try provider.fetches() == 2)
        #expect(try ask(daemon, provider.token()).status == 200)
        #expect(try ask(daemon, old).status == 401)
        // The next new key must wait until the keys may be fetched again.
        try provider.rotate()
        #expect(try ask(daemon, provider.token()).status == 401)
        #expect(try provider.fetches() == 2)
    }

    @Test func `a token counts in its issuer's header alone, and beside no other`() throws {
        let (proxy, provider) = (try KeyServer(), try KeyServer())
        defer { for server in [proxy, provider] { server.end() } }
        let name = "X-Goog-IAP-JWT-Assertion"
        let issuers = """
            issuers:
              - {issuer: "\(proxy.url)", audiences: [token-provider], algorithms: [ES256], keys: "\(proxy.url)/jwks",
                 header: \(name)}
              - {issuer: "\(provider.url)", audiences: [token-provider], algorithms: [RS256], keys: "\(provider.url)/jwks"}
            """
        let rules = """
            rules: [{name: all, kinds: [consumer], ids: {tripID: any}}]
            limits: {failure_rate: 0}
            audit: {output: file, file: audit}
            """
        let key = try files.apiKey("dispatch")
        let config = try files.configuration(rules, issuer: issuers)
        let daemon = try DaemonProcess(["serve", "--config", config], scratch: files.scratch)
        let (assertion, token) = (try proxy.token(key: "ec"), try provider.token())
        let right = ["\(name): \(assertion)", "Authorization: Bearer \(token)", "X-API-Key: \(key)"]
        let wrong = [
            "\(name): \(token)", "Authorization: Bearer \(assertion)", "\(name): Bearer \(assertion)",
            "\(name): \(key)",
            "\(name):",
        ]
        let all = right + wrong
        let pairs = all.indices.flatMap { one in all[(one + 1)...].map { [all[one], $0] } }
        for headers in [[]] + all.map({ [$0] }) + pairs {
            let isAllowed = headers.count == 1 && right.contains(headers[0])
            let answer = try Curl(
                "\(daemon.url)/token?tripID=a",
                headers.flatMap { ["-H", $0.hasSuffix(":") ? "\($0.dropLast());" : $0] })
            #expect(answer.status == (isAllowed ? 200 : 401), "\(headers)")
            let explained = try Program.run(
                Program.daemon,
                ["explain", "--config", config, "--trip", "a", "--json"] + headers.flatMap { ["--header", $0] })
            #expect(explained.status == (isAllowed ? 0 : 1), "\(headers): \(explained.errors)")
        }
        // Without a request, a token is explained as if it were where it belongs.
        let explained = try Program.run(
            Program.daemon, ["explain", "--config", config, "--trip", "a", "--as", assertion])
        #expect(explained.status == 0, "\(explained.errors)")
        #expect(try daemon.end() == 0)
        let records = try files.auditRecords()
        #expect(records.contains { $0["source"] as? String == "jwt \(proxy.url)" && $0["rule"] as? String == "all" })
        let secrets = try files.scratch.text("audit") + daemon.log()
        #expect(!secrets.contains(assertion.suffix(40)))
        for headers in ["authorization and x-goog-iap-jwt-assertion", "authorization and x-api-key"] {
            let reason = "reason=\"credentials are in \(headers); expected them in one header\""
            #expect(try daemon.log().contains(reason), "\(headers)")
        }
    }

    @Test func `the daemon and explain accept only an issuer's named tenants`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let (one, two) = ("11111111-2222-3333-4444-555555555555", "22222222-3333-4444-5555-666666666666")
        let issuers = """
            issuers:
              - {issuer: "\(provider.url)/{tenantid}/v2.0", tenants: [\(one), \(two)], audiences: [token-provider],
                 algorithms: [RS256], keys: "\(provider.url)/jwks"}
            """
        let rules = """
            rules: [{name: all, kinds: [consumer], issuers: ["\(provider.url)/{tenantid}/v2.0"], ids: {tripID: any}}]
            limits: {failure_rate: 0}
            audit: {output: file, file: audit}
            """
        let config = try files.configuration(rules, issuer: issuers)
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let end = Int(Date().timeIntervalSince1970) + 600
        for (name, tenant, isAllowed) in [
            (one, one, true), (two, two, true), (one, two, false), ("three", "three", false), (one, "", false),
            ("{tenantid}", one, false),
        ] {
            let claims =
                #"{"iss":"\#(provider.url)/\#(name)/v2.0","tid":"\#(tenant)","sub":"u","aud":"token-provider","exp":\#(end)}"#
            let made = try Curl("\(provider.url)/token?key=rsa", ["-d", claims]).json()
            let token = try #require(made["token"] as? String)
            let answer = try Curl("\(daemon.url)/token?tripID=a", bearer: token)
            #expect(answer.status == (isAllowed ? 200 : 401), "\(name) \(tenant)")
            let explained = try Program.run(
                Program.daemon, ["explain", "--config", config, "--trip", "a", "--as", token])
            #expect(explained.status == (isAllowed ? 0 : 1), "\(name) \(tenant): \(explained.output)")
            // Callers of the same name are not the same.
            #expect(explained.output.contains("(jwt \(provider.url)/\(name)/v2.0)") == isAllowed)
        }
        let (admin, issuer) = (try daemon.adminURL(), "\(provider.url)/{tenantid}/v2.0")
        #expect(try Scrape(admin)[#"jwks_usable{issuer="\#(issuer)"}"#] == 1)
        let console = try Curl("\(admin)/console/data.json").json()["issuer_keys"] as? [[String: Any]]
        #expect(console?.map { $0["name"] as? String } == [issuer])
        #expect(try daemon.end() == 0)
        let sources = Set(try files.auditRecords().compactMap { $0["source"] as? String })
        #expect(sources.isSuperset(of: [one, two].map { "jwt \(provider.url)/\($0)/v2.0" }), "\(sources)")
    }

    @Test func `a refusal is recorded though its client leaves during the fetch`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let audit = files.scratch.path("audit")
        let daemon = try daemon(
            provider, keys: "\(provider.url)/jwks", more: "http: {loops: 1}\naudit: {output: file, file: \(audit)}")
        #expect(try ask(daemon, provider.token()).status == 200)
        try PythonClients.runProvider("leaving_for_keys.py", ["127.0.0.1", daemon.port, provider.url])
        try Patience.wait(for: "the record") {
            try String(contentsOfFile: audit, encoding: .utf8).contains(#""outcome":"unauthenticated""#)
        }
        #expect(try provider.fetches() == 2)
        #expect(try daemon.end() == 0)
        let records = try String(contentsOfFile: audit, encoding: .utf8)
        #expect(records.split(separator: "\n").count { $0.contains(#""outcome":"unauthenticated""#) } == 1)
    }

    @Test func `a reload fetches keys again and says which came and went`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try daemon(provider)
        let stolen = try provider.token()
        #expect(try ask(daemon, stolen).status == 200)
        try provider.rotate()
        #expect(try ask(daemon, stolen).status == 200)
        daemon.process.send(SIGHUP)
        try Patience.wait(for: "the end of the withdrawn key") { try ask(daemon, stolen).status == 401 }
        try daemon.waitForLog(#"removed="rsa-1, ec-1, ed-1""#)
        #expect(try daemon.log().contains(#"added="rsa-2, ec-2, ed-2""#))
        #expect(try ask(daemon, provider.token()).status == 200)
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("keys were fetched again and are the same")
        provider.end()
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("keys could not be fetched")
        #expect(try ask(daemon, stolen).status == 401)
    }

    @Test func `tokens without a kid cause one fetch in 30 s`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try daemon(provider, keys: "\(provider.url)/single")
        #expect(try ask(daemon, provider.token()).status == 200)
        try PythonClients.runProvider("unknown_keys.py", ["127.0.0.1", daemon.port, provider.url, "unnamed"])
        #expect(try provider.fetches("/single") == 2)
        #expect(try ask(daemon, provider.token()).status == 200)
    }

    @Test func `only the configured algorithms of a provider are accepted`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try daemon(provider, algorithms: "RS256, ES256")
        #expect(try ask(daemon, provider.token(key: "rsa")).status == 200)
        #expect(try ask(daemon, provider.token(key: "ec")).status == 200)
        #expect(try ask(daemon, provider.token(key: "ed")).status == 401)
    }

    @Test func `an entry of a key set never costs another, and is named`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let own = try provider.keys()
        let same = own.map { $0.merging(["kid": "k", "alg": NSNull(), "key_ops": [String](), "d": NSNull()]) { $1 } }
        let numbered = own[2].merging(["kid": 7]) { $1 }
        let pss = same[0].merging(["alg": "PS256"]) { $1 }
        try provider.publish([same[0], same[1], ["kty": "oct", "kid": "k"], pss, same[0], numbered, 7])
        let (algorithms, keys) = ("RS256, ES256, EdDSA", "\(provider.url)/jwks")
        let daemon = try DaemonProcess(
            ["serve", "--config", try configuration(provider, algorithms: algorithms, keys: keys)],
            environment: DaemonProcess.withAdmin, scratch: files.scratch)
        for (key, kid) in [("rsa", "k"), ("ec", "k"), ("ed", "7"), ("rsa", ""), ("ec", ""), ("ed", "")] {
            #expect(try ask(daemon, provider.token(key: key, kid: kid)).status == 200, "\(key) \(kid)")
        }
        #expect(try ask(daemon, provider.token(key: "ed", kid: "k")).status == 401)
        let skipped = "key 3 of the set has kty other than RSA, EC or OKP; key 7 of the set has no members"
        #expect(try daemon.log().contains("skipped=\"\(skipped)\""))
        let console = try Curl("\(daemon.adminURL())/console/data.json").json()
        #expect((console["issuer_keys"] as? [[String: Any]])?.first?["skipped"] as? String == skipped)
        let check = ["check", "--online", "--json", "--config", files.scratch.path("token-provider.yaml")]
        let outcome = try Program.run(Program.daemon, check)
        #expect(outcome.status == 0)
        let warnings = try #require(outcome.json()["warnings"] as? [String])
        #expect(warnings.contains("issuers: \(provider.url): \(skipped)"), "\(warnings)")
    }

    @Test func `unreadable and surplus entries of a key set cost no others`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let own = try provider.keys().map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
        }
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let odd = [#"{"kty":"oct","kty":"RSA"}"#, "{\"x5c\":\(deep)}", #"{"kid":"\uD800"}"#]
        let entries = odd + own + [String](repeating: #"{"use":"enc"}"#, count: 94) + [own[0]]
        try files.scratch.write("keys.json", "{\"keys\":[\(entries.joined(separator: ","))]}")
        let configuration = try configuration(provider, algorithms: "RS256, ES256, EdDSA", keys: "keys.json")
        let outcome = try Program.run(Program.daemon, ["check", "--json", "--config", configuration])
        let warnings = (try outcome.json()["warnings"] as? [String] ?? []).joined()
        for words in [
            "key 1 of the set repeats a member's name", "key 2 of the set is nested too deeply",
            "key 3 of the set has half of a surrogate pair", "key 7 of the set", "key 100 of the set",
            "key 101 of the set and all after it are skipped; expected at most 100 keys",
        ] { #expect(warnings.contains(words), "\(warnings)") }
        let daemon = try DaemonProcess(["serve", "--config", configuration], scratch: files.scratch)
        for key in ["rsa", "ec", "ed"] { #expect(try ask(daemon, provider.token(key: key)).status == 200) }
    }

    @Test func `an issuer that loses its keys is a warning of readyz`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let daemon = try DaemonProcess(
            ["serve", "--config", try configuration(provider, keys: "\(provider.url)/jwks")],
            environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let (admin, token) = (try daemon.adminURL(), try provider.token())
        let sample = #"jwks_usable{issuer="\#(provider.url)"}"#
        #expect(try ask(daemon, token).status == 200)
        #expect(try Curl("\(admin)/readyz").json()["warnings"] == nil)
        try provider.withdraw()
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("keys were withdrawn")
        #expect(try ask(daemon, token).status == 503)
        let ready = try Curl("\(admin)/readyz")
        #expect(ready.status == 200)
        let warning =
            "issuers: the keys of \(provider.url) could not be fetched from \(provider.url)/jwks: the issuer's key set "
            + "has no key that can verify; expected at least one"
        #expect(try ready.json()["warnings"] as? [String] == [warning])
        #expect(try Scrape(admin)[sample] == 0)
        let checks = try Curl("\(admin)/console/data.json").json()["checks"] as? [[String: Any]] ?? []
        let check = checks.first { $0["name"] as? String == "issuers" } ?? [:]
        #expect(check["warning"] as? String == warning && check["cure"] as? String != nil, "\(checks)")
        try provider.rotate()
        daemon.process.send(SIGHUP)
        try Patience.wait(for: "the new keys") { try ask(daemon, provider.token()).status == 200 }
        #expect(try Curl("\(admin)/readyz").json()["warnings"] == nil)
    }

    @Test func `a set without a key of the configured algorithms is an outage`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let configuration = try configuration(provider, algorithms: "ES384", keys: "\(provider.url)/jwks")
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let ready = try Curl("\(daemon.adminURL())/readyz")
        #expect(ready.status == 503)
        #expect((try ready.json()["checks"] as? [String: String])?["issuers"] != "ok")
        let outcome = try Program.run(Program.daemon, ["check", "--online", "--config", configuration])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("has no key for ES384; expected at least one"), "\(outcome.errors)")
    }

    @Test func `until keys are fetched, tokens get 503 and API keys still work`() throws {
        let provider = try KeyServer()
        let apiKey = try files.apiKey("dispatch")
        let token = try provider.token()
        provider.end()
        let daemon = try daemon(provider)
        let answer = try ask(daemon, token)
        #expect(answer.status == 503)
        #expect(answer.fields["retry-after"] == "5")
        #expect(try answer.json()["code"] as? String == "caller_check_unavailable")
        #expect(try ask(daemon, apiKey).status == 200)
        #expect(try Curl("\(daemon.url)/token?tripID=trip-1").status == 401)
    }

    @Test func `explain names the issuers whose keys could not be fetched, and why`() throws {
        let key = try files.apiKey("dispatch")
        let issuer = """
            issuers:
              - issuer: https://id.example.com
                audiences: [token-provider]
                algorithms: [RS256]
                keys: http://127.0.0.1:1/keys
            """
        let rules = "rules: [{name: everyone, kinds: [consumer], ids: {tripID: any}}]"
        let configuration = try files.configuration(rules, issuer: issuer)
        let explain = ["explain", "--config", configuration, "--trip", "t-1", "--as"]
        let token = try files.token()
        for (credentials, status) in [(key, 0), (token, 1)] {
            let outcome = try Program.run(Program.daemon, explain + [credentials])
            #expect(outcome.status == status)
            #expect(outcome.sentences.count == 1)
            #expect(
                outcome.errors.hasPrefix(
                    "token-provider: issuers: the keys of https://id.example.com could not be fetched from http://127.0.0.1:1/keys: "
                ))
        }
    }

    @Test func `check asks issuers only with --online, and reports outages`() throws {
        let provider = try KeyServer()
        let configuration = try self.configuration(provider)
        func check(_ flags: String...) throws -> Outcome {
            try Program.run(Program.daemon, ["check", "--config", configuration] + flags, environment: Self.proxies)
        }
        #expect(try check().status == 0)
        #expect(try provider.fetches() == 0)
        let reached = try check("--online")
        #expect(reached.status == 0)
        #expect(!reached.output.contains("could not be fetched"))
        #expect(try provider.fetches() == 1)
        provider.end()
        let failed = try check("--online", "--json")
        #expect(failed.status == 1)
        #expect(try failed.json()["starts"] as? Bool == true)
        let errors = try #require(failed.json()["errors"] as? [String])
        let url = "\(provider.url)/.well-known/openid-configuration"
        let outage = "issuers: the keys of \(provider.url) could not be fetched from \(url): "
        #expect(errors.count == 1 && errors[0].hasPrefix(outage), "\(errors)")
        let text = try check("--online")
        #expect(text.sentences == errors)
        #expect(text.output.hasSuffix("\n\nserve would start, but not be ready: it has no keys of one issuer.\n"))
        #expect(try check().status == 0)
    }

    // MARK: -

    /// Variables that name a proxy; requests to this machine do not go through it.
    private static let proxies = Dictionary(
        uniqueKeysWithValues: ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map {
            ($0, "http://127.0.0.1:9")
        })

    private func daemon(
        _ provider: KeyServer, algorithms: String = "RS256", keys: String = "discovery", more: String = ""
    ) throws -> DaemonProcess {
        let configuration = try configuration(provider, algorithms: algorithms, keys: keys, more: more)
        return try DaemonProcess(
            ["serve", "--config", configuration], environment: Self.proxies, scratch: files.scratch)
    }

    private func configuration(
        _ provider: KeyServer, algorithms: String = "RS256", keys: String = "discovery", more: String = ""
    ) throws -> String {
        let issuer = """
            issuers:
              - issuer: \(provider.url)
                audiences: [token-provider]
                algorithms: [\(algorithms)]
                keys: \(keys)
            """
        let rules = """
            rules:
              - {name: everyone, kinds: [consumer], ids: {tripID: any}}
            \(more)
            """
        return try files.configuration(rules, issuer: issuer)
    }

    private func ask(_ daemon: DaemonProcess, _ token: String) throws -> Curl {
        try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token)
    }
}
