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
        let isOfTenants: Bool
        let header: String?
        let prefix: String
        let algorithms: String
        let forwardAuth: String
        let claims: String

        init(_ random: inout Random) {
            isOfTenants = random.pick(true, false)
            header = random.pick(nil, "X-Assertion", "X-Token")
            prefix = random.pick("", "", "/fleet", "/a/b")
            algorithms = random.pick("RS256", "ES256", "EdDSA", "Ed25519", "RS256, Ed25519")
            forwardAuth = random.pick(
                "", "POST, body: json", "POST, body: ignore", "POST, body: opa", "GET, body: json", "GET, body: ignore")
            claims = random.pick("", ", claims: [{claim: role, equals: driver}]")
        }
    }

    private func configuration(_ choices: Choices) throws -> String {
        let name = provider.url + (choices.isOfTenants ? "/{tenantid}/v2.0" : "")
        let port = provider.url.split(separator: ":").last ?? ""
        let issuer = """
            issuers:
              - issuer: "\(name)"
                audiences: [token-provider]
                algorithms: [\(choices.algorithms)]
                keys: http://0.0.0.0:\(port)/jwks
                allow_plain_http: true
            \(choices.isOfTenants ? "    tenants: [\(Self.one), \(Self.two)]" : "")
            \(choices.header.map { "    header: \($0)" } ?? "")
            """
        let asks = !choices.forwardAuth.isEmpty
        return try files.configuration(
            """
            limits: {failure_rate: 0}
            \(choices.prefix.isEmpty ? "" : "request: {path_prefix: \(choices.prefix)}")
            \(asks ? "forward_auth: {url: \"\(backEnd.url)\", timeout: 10s, method: \(choices.forwardAuth)}" : "")
            rules:
              - {name: own, kinds: [driver], issuers: ["\(name)"], ids: {vehicleID: {claim: vehicle}}\(choices.claims)}
              - {name: keys, kinds: [driver], api_keys: [depot], ids: {vehicleID: any}}
            \(asks ? "  - {name: asked, kinds: [consumer], forward_auth: true}" : "")
            """, issuer: issuer)
    }

    /// A token that is mostly right.
    private func token(_ choices: Choices, _ random: inout Random) throws -> String {
        let tenant = random.pick(Self.one, Self.one, Self.two, "three", "{tenantid}")
        let name = choices.isOfTenants != random.pick(false, false, false, true) ? "/\(tenant)/v2.0" : ""
        var claims: [String: Any] = [
            "iss": provider.url + name, "sub": "user-1",
            "aud": random.pick("token-provider", "token-provider", "other"),
            "exp": Int(Date().timeIntervalSince1970) + random.pick(600, 600, 600, -600),
            "vehicle": random.pick("v-1", "v-2"),
            "role": random.pick("driver", "driver", "rider"),
        ]
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
        return switch random.pick(0, 0, 0, 0, 1, 2, 3, 4, 5, 6) {
        case 0: [own]
        case 1: ["Authorization: Bearer \(token)"]
        case 2: [own, "Authorization: Bearer \(apiKey)"]
        case 3: ["X-API-Key: \(apiKey)"]
        case 4: ["Authorization: Bearer opaque-1"]
        case 5: [own, own]
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
