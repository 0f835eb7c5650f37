import TestSupport
import Foundation
import Testing

/// Random configurations, callers and requests: `explain` must say what the daemon does.
@Suite(.blocking) struct ExplainPropertyTests {
    /// splitmix64: the same choices for the same seed.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }

        mutating func pick<Value>(_ values: Value...) -> Value { values[Int.random(in: values.indices, using: &self)] }
    }

    private static let requests = 12
    private static let one = "11111111-2222-3333-4444-555555555555"
    private static let two = "22222222-3333-4444-5555-666666666666"

    private let files: CallerFiles
    private let provider: KeyServer
    private let backEnd: BackEnd

    init() throws { (files, provider, backEnd) = (try CallerFiles(), try KeyServer(), try BackEnd()) }

    /// What a configuration is made of.
    private struct Choices {
        enum Issuer { case plain, ofTenants, ofTrustDomain }
        enum Keys { case fetched, fetchedWithToken, duplicated, inPEM }

        let issuer: Issuer
        let keys: Keys
        let hasSecondIssuer: Bool
        let hasProxy: Bool
        let header: String?
        let prefix: String
        let algorithms: String
        let forwardAuth: String
        let claims: String

        init(_ random: inout Random) {
            issuer = random.pick(.plain, .ofTenants, .ofTrustDomain)
            keys = issuer == .ofTrustDomain ? .fetched : random.pick(.fetched, .fetchedWithToken, .duplicated, .inPEM)
            (hasSecondIssuer, hasProxy) = (random.pick(true, false), random.pick(true, false))
            header = random.pick(nil, "X-Assertion", "X-Token")
            prefix = random.pick("", "", "/fleet", "/a/b")
            algorithms =
                issuer == .ofTrustDomain
                ? random.pick("RS256", "ES256") : random.pick("RS256", "ES256", "EdDSA", "Ed25519", "RS256, Ed25519")
            forwardAuth = random.pick(
                "", "POST, body: json", "POST, body: ignore", "POST, body: opa", "GET, body: json", "GET, body: ignore")
            claims = random.pick("", ", claims: [{claim: role, equals: driver}]")
        }
    }

    private static let second = "https://second.example.com"

    /// The name of the first issuer.
    private func name(_ choices: Choices) -> String {
        switch choices.issuer {
        case .plain: provider.url
        case .ofTenants: provider.url + "/{tenantid}/v2.0"
        case .ofTrustDomain: "spiffe://example.org"
        }
    }

    /// Publishes the keys; where they are.
    private func publish(_ choices: Choices) throws -> String {
        let keys = try provider.keys()
        let set = ["keys": choices.issuer == .ofTrustDomain ? keys.map { $0.merging(["use": "sig"]) { $1 } } : keys]
        try files.scratch.write(
            "second.json", String(decoding: JSONSerialization.data(withJSONObject: set), as: UTF8.self))
        if choices.issuer == .ofTrustDomain {
            try provider.publish(keys.map { $0.merging(["use": "jwt-svid"]) { $1 } })
        }
        switch choices.keys {
        case .fetched: break
        case .fetchedWithToken:
            try files.scratch.write("keys-token", "canary-1\n")
            try provider.set(#"{"bearer": "canary-1"}"#)
        case .duplicated:
            let renamed = keys.map { $0.merging(["kid": keys[0]["kid"] ?? ""]) { $1 } }
            try provider.publish(keys + [keys[0]] + renamed)
        case .inPEM:
            let texts = try JSONDecoder().decode([String].self, from: Data(Curl("\(provider.url)/pem").body.utf8))
            try files.scratch.write("keys.pem", texts.joined())
            return files.scratch.path("keys.pem")
        }
        return "http://0.0.0.0:\(provider.url.split(separator: ":").last ?? "")/jwks"
    }

    private func configuration(_ choices: Choices) throws -> String {
        let name = name(choices)
        let isOfTrustDomain = choices.issuer == .ofTrustDomain
        let others = [
            choices.issuer == .ofTenants ? "tenants: [\(Self.one), \(Self.two)]" : nil,
            choices.header.map { "header: \($0)" },
            choices.keys == .fetchedWithToken ? "keys_token_file: \(files.scratch.path("keys-token"))" : nil,
            choices.keys == .inPEM ? nil : "allow_plain_http: true",
        ].compactMap { $0.map { "\n    \($0)" } }.joined()
        let second = """

              - {issuer: "\(Self.second)", audiences: [token-provider], algorithms: [RS256], keys: second.json}
            """
        let issuer =
            """
            issuers:
              - \(isOfTrustDomain ? "spiffe_trust_domain: example.org" : "issuer: \"\(name)\"")
                audiences: [token-provider]
                algorithms: [\(choices.algorithms)]
                keys: \(try publish(choices))
            """ + others + (choices.hasSecondIssuer ? second : "")
        let asks = !choices.forwardAuth.isEmpty
        let ofSecond =
            "{name: second, kinds: [driver], issuers: [\"\(Self.second)\"], ids: {vehicleID: {claim: vehicle}}}"
        return try files.configuration(
            """
            limits: {failure_rate: 0}
            \(choices.prefix.isEmpty ? "" : "request: {path_prefix: \(choices.prefix)}")
            \(choices.hasProxy ? "outgoing: {proxy: \"http://127.0.0.1:9\", no_proxy: [\"*.example.com\", \"0.0.0.0:1\"]}" : "")
            \(asks ? "forward_auth: {url: \"\(backEnd.url)\", timeout: 10s, method: \(choices.forwardAuth)}" : "")
            rules:
              - {name: own, kinds: [driver], issuers: ["\(name)"], ids: {vehicleID: {claim: vehicle}}\(choices.claims)}
              - {name: keys, kinds: [driver], api_keys: [depot], ids: {vehicleID: any}}
            \(choices.hasSecondIssuer ? "  - \(ofSecond)" : "")
            \(asks ? "  - {name: asked, kinds: [consumer], forward_auth: true}" : "")
            """, issuer: issuer)
    }

    /// A token that is mostly right.
    private func token(_ choices: Choices, _ random: inout Random) throws -> String {
        let tenant = random.pick(Self.one, Self.one, Self.two, "three", "{tenantid}")
        let isOfTenants = (choices.issuer == .ofTenants) != random.pick(false, false, false, true)
        let own = choices.issuer == .ofTrustDomain ? nil : provider.url + (isOfTenants ? "/\(tenant)/v2.0" : "")
        let now = Date().timeIntervalSince1970
        var claims: [String: Any] = [
            "sub": choices.issuer == .ofTrustDomain
                ? random.pick("spiffe://example.org/a", "spiffe://b.org/a") : "user-1",
            "aud": random.pick("token-provider", "token-provider", "other"),
            "exp": now.rounded() + random.pick(600, 600.5, 600.25, -600),
            "vehicle": random.pick("v-1", "v-2"),
            "role": random.pick("driver", "driver", "rider"),
        ]
        if let iss = random.pick(own, own, own, choices.hasSecondIssuer ? Self.second : own) { claims["iss"] = iss }
        if let nbf = random.pick(nil, nil, -60.5, 3600.5) { claims["nbf"] = now.rounded() + nbf }
        if let tid = random.pick(tenant, tenant, tenant, Self.one, nil) { claims["tid"] = tid }
        let body = String(decoding: try JSONSerialization.data(withJSONObject: claims), as: UTF8.self)
        let key = choices.algorithms.contains("RS") ? "rsa" : choices.algorithms == "ES256" ? "ec" : "ed"
        let query = "key=\(random.pick(key, key, key, "rsa", "ed"))\(random.pick("", "", "&kid=", "&kid=other"))"
        return try #require(try Curl("\(provider.url)/token?\(query)", ["-d", body]).json()["token"] as? String)
    }

    /// The headers of a request.
    private func fields(_ choices: Choices, _ apiKey: String, _ random: inout Random) throws -> [String] {
        let token = try token(choices, &random)
        let own = choices.header.map { "\($0): \(token)" } ?? "Authorization: Bearer \(token)"
        return switch random.pick(0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7) {
        case 0: [own]
        case 1: ["Authorization: Bearer \(token)"]
        case 2: [own, "Authorization: Bearer \(apiKey)"]
        case 3: ["X-API-Key: \(apiKey)"]
        case 4: ["Authorization: Bearer opaque-1"]
        case 5: [own, own]
        case 6: [own, "Authorization: Bearer \(try self.token(choices, &random))"]
        default: []
        }
    }

    @Test(arguments: Array(1...10))
    func `explain and the daemon agree about random requests`(seed: Int) throws {
        defer { provider.end() }
        var random = Random(state: UInt64(seed))
        let choices = Choices(&random)
        let apiKey = try files.apiKey("depot")
        let path = try configuration(choices)
        let daemon = try DaemonProcess(["serve", "--config", path], scratch: files.scratch)
        for _ in 1...Self.requests {
            let fields = try fields(choices, apiKey, &random)
            let word = random.pick("allow", "deny", "unknown", "named", "true", "false", "none", "error", "missing")
            let (query, flags) = random.pick(
                ("vehicleID=v-1", ["--vehicle", "v-1"]), ("vehicleID=v-1", ["--vehicle", "v-1"]),
                ("tripID=\(word)-1", ["--trip", "\(word)-1"]))
            let answer = try Curl(
                "\(daemon.url)\(choices.prefix)/token?\(query)", fields.flatMap { ["-H", $0] })
            let explained = try Program.run(
                Program.daemon, ["explain", "--config", path, "--json"] + flags + fields.flatMap { ["--header", $0] })
            let checks = try explained.json()["checks"] as? [[String: Any]] ?? []
            let isMet = checks.filter { ($0["name"] as? String)?.hasPrefix("rule ") == true }.map { $0["met"] as? Bool }
            #expect(answer.status != 200 || isMet.contains(true), "\(explained.output)")
            #expect(answer.status == 200 || checks.contains { $0["met"] as? Bool == false }, "\(explained.output)")
            #expect(
                (answer.status == 200) == (explained.status == 0) && [0, 1].contains(explained.status),
                "\(choices) \(query) \(fields): \(answer.status) \(answer.body), \(explained.output)\(explained.errors)"
            )
        }
    }
}
