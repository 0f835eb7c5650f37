import Foundation
import TestSupport
import Testing

/// JWT-SVIDs by a trust domain's bundle, as the page configures them.
@Suite(.blocking) struct SPIFFETests {
    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    private func write(keys: String, _ change: (String) -> String = { $0 }) throws -> String {
        let block = try #require(
            try DocumentedBlock.all().first {
                ($0.page, $0.section, $0.language) == ("IdentityProviders", "SPIFFE", "yaml")
            })
        let text = change(block.text.replacing(#/keys: https\S+/#, with: "keys: \(keys)"))
        return try files.scratch.write(
            "token-provider.yaml",
            "listen: 127.0.0.1:0\ncredentials: key.json\n\(text)\n"
                + "limits: {failure_rate: 0}\naudit: {output: file, file: audit}\n")
    }

    @Test func `JWT-SVIDs are accepted by the keys of their bundle`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let own = try provider.keys().map { $0.merging(["use": "jwt-svid"]) { $1 } }
        let others: [[String: Any]] = [["kty": "EC", "use": "x509-svid", "x5c": ["MIIB"]]]
        let bundle = own.filter { $0["kty"] as? String != "OKP" } + others
        try provider.publish(bundle)
        let bundleFile = try files.scratch.write(
            "bundle.json", String(decoding: JSONSerialization.data(withJSONObject: ["keys": bundle]), as: UTF8.self))
        var tokens: [(text: String, subject: String?)] = []
        let config = try write(keys: "\(provider.url)/jwks")
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        let id = "spiffe://example.org/ns/fleet/sa/dispatch"
        let end = Int(Date().timeIntervalSince1970) + 600
        for (subject, key, issuer, status) in [
            (id, "rsa", nil, 200), (id, "ec", nil, 200), (id, "ed", nil, 401), ("\(id)-2", "rsa", nil, 403),
            ("spiffe://example.org/a/../b", "rsa", nil, 401), ("spiffe://other.org/a", "rsa", nil, 401),
            (id, "rsa", "spiffe://example.org", 401),
        ] as [(String, String, String?, Int)] {
            let iss = issuer.map { #""iss":"\#($0)","# } ?? ""
            let claims = #"{\#(iss)"sub":"\#(subject)","aud":["token-provider"],"exp":\#(end)}"#
            let made = try Curl("\(provider.url)/token?key=\(key)", ["-d", claims]).json()
            let token = try #require(made["token"] as? String)
            #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: token).status == status, "\(subject) \(key)")
            if issuer == nil { tokens.append((token, status == 401 ? nil : subject)) }
            let explained = try Program.run(
                Program.daemon, ["explain", "--config", config, "--trip", "a", "--as", token])
            #expect(explained.status == (status == 200 ? 0 : 1), "\(explained.output)")
        }
        // A library for SPIFFE judges the same, except that it ignores iss.
        let verified = try PythonClients.runVerifier(
            "peer_verifiers.py", ["spiffe", "example.org", bundleFile, "token-provider"] + tokens.map(\.text))
        #expect((verified["subjects"] as? [Any])?.map { $0 as? String } == tokens.map(\.subject))
        let admin = try daemon.adminURL()
        #expect(try Scrape(admin)[#"jwks_usable{issuer="spiffe://example.org"}"#] == 1)
        #expect(try daemon.end() == 0)
        let records = try files.auditRecords()
        let ofTrustDomain = records.filter { $0["source"] as? String == "jwt spiffe://example.org" }
        #expect(ofTrustDomain.contains { $0["principal"] as? String == id })
        // The keys for X.509 are not worth a word.
        #expect(try !daemon.log().contains("of the set"))
        let checked = try Program.run(Program.daemon, ["check", "--online", "--config", config])
        #expect(checked.status == 0 && !(checked.output + checked.errors).contains("of the set"))
    }

    @Test func `a bundle file without keys for JWT-SVIDs is refused`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        for (use, status) in [("jwt-svid", 0), ("sig", 78), ("x509-svid", 78)] as [(String, Int32)] {
            let keys = try provider.keys().map { $0.merging(["use": use]) { $1 } }
            let bundle: [String: Any] = ["keys": keys, "spiffe_sequence": 1, "spiffe_refresh_hint": 300]
            try files.scratch.write(
                "bundle.json", String(decoding: JSONSerialization.data(withJSONObject: bundle), as: UTF8.self))
            let checked = try Program.run(Program.daemon, ["check", "--config", write(keys: "bundle.json")])
            #expect(checked.status == status, "\(use): \(checked.errors)")
        }
    }

    @Test func `a skipped key of a bundle is named by its place`() throws {
        let provider = try KeyServer()
        defer { provider.end() }
        let own = try provider.keys()
        let keys = zip(["x509-svid", "jwt-svid", "jwt-svid"], [own[0], ["kty": "oct"], own[0]]).map { use, key in
            key.merging(["use": use]) { $1 }
        }
        let bundle = try JSONSerialization.data(withJSONObject: ["keys": keys])
        try files.scratch.write("bundle.json", String(decoding: bundle, as: UTF8.self))
        let checked = try Program.run(Program.daemon, ["check", "--config", write(keys: "bundle.json")])
        #expect(checked.status == 0)
        let printed = checked.output + checked.errors
        #expect(
            printed.contains("key 2 of the set has kty other") && printed.matches(of: /of the set/).count == 1,
            "\(printed)")
    }

    @Test(arguments: [
        ("domain: example.org", "domain: example.org\n    issuer: a", "no meaning for JWT-SVIDs"),
        ("domain: example.org", "domain: example.org\n    principal: a", "no meaning for JWT-SVIDs"),
        ("domain: example.org", "domain: Example.org", "the trust domain is malformed"),
        ("domain: example.org", "domain: spiffe://example.org", "the trust domain is malformed"),
        ("[RS256, ES256]", "[RS256, EdDSA]", "does not sign JWT-SVIDs"),
        ("keys: bundle.json", "keys: discovery", "discovery needs an issuer that is a URL"),
        ("issuers: [spiffe://example.org]", "issuers: [spiffe://other.org]", "which is not in issuers"),
    ])
    func `an ambiguous configuration is refused`(text: String, other: String, words: String) throws {
        let checked = try Program.run(
            Program.daemon, ["check", "--config", write(keys: "bundle.json") { $0.replacing(text, with: other) }])
        #expect(checked.status == 78 && checked.errors.contains(words), "\(checked.errors)")
    }
}
