import Foundation
import TestSupport
import Testing

/// Where the operator reads what a refused request had and what was expected: log, audit log and `explain`.
@Suite(.blocking) struct RefusedTokenTests {
    private static let rules = """
        rules:
          - {name: riders, kinds: [consumer], issuers: ["https://id.example.com"], ids: {tripID: {claim: trips}}}
        limits: {principal_rate: 0, failure_rate: 0}
        audit: {output: file, file: audit}
        """

    let files: CallerFiles

    init() throws { files = try CallerFiles() }

    @Test func `logs and explain say what was expected; the client's answer does not`() throws {
        let issuer = "the bearer token of issuer https://id.example.com"
        let day = Int(Date().timeIntervalSince1970) - 3 * 86_400 - 3600
        let cases: [(token: String, reason: String)] = [
            (
                try files.token(["iss": "https://id.example.com/"]),
                "the bearer token has an unknown issuer: iss is \"https://id.example.com/\", "
                    + "expected \"https://id.example.com\" (remove the last slash)"
            ),
            (
                try files.token(["aud": "Token-Provider"]),
                "\(issuer) is for another audience: aud is \"Token-Provider\", "
                    + "expected \"token-provider\" (case differs)"
            ),
            (
                try files.token(header: ["kid": "old-key"]),
                "\(issuer) names an unknown key: kid is \"old-key\", expected \"issuer-key\""
            ),
            (try files.token(["exp": day]), "\(issuer) expired 3 days ago ("),
        ]
        let daemon = try files.daemon(Self.rules)
        var answers: Set<String> = []
        for (token, reason) in cases {
            let answer = try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token)
            #expect(answer.status == 401)
            let members = try answer.json().filter { $0.key != "request_id" && $0.key != "instance" }
            answers.insert("\(members.sorted { $0.key < $1.key })")
            let explained = try explain(token, trip: "trip-1")
            #expect(explained.hasPrefix(reason), "\(explained)")
        }
        #expect(answers.count == 1)
        #expect(!answers.contains { $0.contains("id.example") || $0.contains("expired 3") })
        #expect(try daemon.end() == 0)
        let recorded = try files.auditRecords().compactMap { $0["reason"] as? String }
        let logged = try daemon.log().replacing("\\\"", with: "\"")
        for (_, reason) in cases {
            #expect(recorded.contains { $0.hasPrefix(reason) && !$0.contains("…") }, "\(recorded)")
            #expect(logged.contains(reason), "\(logged)")
        }
    }

    @Test func `refusals that differ only in what clients chose are counted together`() throws {
        let daemon = try files.daemon(Self.rules)
        for number in 1...40 {
            let token = try files.token(["iss": "https://\(number).example.com"])
            #expect(try Curl("\(daemon.url)/token?tripID=a", bearer: token).status == 401)
        }
        #expect(try daemon.end() == 0)
        let records = try files.auditRecords()
        let sums = records.filter { $0["count"] != nil }
        #expect(sums.map { $0["count"] as? Int } == [8])
        #expect(sums.map { $0["reason"] as? String } == ["the bearer token has an unknown issuer"])
        let alone = records.compactMap { $0["reason"] as? String }.filter { $0.contains("iss is \"") }
        #expect(Set(alone).count == 32)
        #expect(try files.verifyAudit().status == 0)
    }

    @Test(arguments: ["digest", "plain"])
    func `a missing id is audited in full, and logged by log.ids`(ids: String) throws {
        let token = try files.token(["trips": ["trip-1"]])
        let daemon = try files.daemon("\(Self.rules)\nlog: {ids: \(ids)}")
        #expect(try Curl("\(daemon.url)/token?tripID=trip-9", bearer: token).status == 403)
        let reason = "the rule riders does not apply: the claim trips does not contain trip-9"
        #expect(try explain(token, trip: "trip-9") == reason)
        #expect(try daemon.end() == 0)
        #expect(try files.auditRecords().compactMap { $0["reason"] as? String } == [reason])
        let log = try daemon.log()
        #expect(log.contains(/trips does not contain ([0-9a-f]{16}|trip-9)"/), "\(log)")
        #expect(log.contains("trip-9") == (ids == "plain"))
    }

    @Test(arguments: ["digest", "plain"])
    func `the log says who was refused, and why a request was invalid`(ids: String) throws {
        let daemon = try files.daemon("\(Self.rules)\nlog: {ids: \(ids)}")
        let token = try files.token(["trips": ["trip-1"]])
        let refusals = [
            ("not_allowed", "?tripID=trip-9", token), ("unauthenticated", "?tripID=trip-1", nil),
            ("unknown_parameter", "?trip=trip-1&expiraton=1", token), ("unknown_parameter", "?tripID=a&trip-8", token),
            ("invalid_id", "?tripID=a%2Fb", token), ("unknown_kind", "/rider/a", token),
        ]
        var answers: [(code: String, detail: String)] = []
        for (code, target, token) in refusals {
            let answer = try Curl(
                "\(daemon.url)/token\(target)", token.map { ["-H", "Authorization: Bearer \($0)"] } ?? [])
            let problem = try answer.json()
            #expect(problem["code"] as? String == code)
            answers.append((code, try #require(problem["detail"] as? String)))
        }
        #expect(try daemon.end() == 0)
        let lines = try daemon.log().split(separator: "\n").filter { $0.contains(" info refused ") }
        #expect(lines.count == refusals.count)
        let isPlain = ids == "plain"
        for (line, (code, detail)) in zip(lines, answers) {
            #expect(line.contains(" code=\(code) "))
            #expect(line.contains(isPlain ? #/ client=127\.0\.0\.1 /# : #/ client=[0-9a-f]{16} /#))
            #expect(
                line.contains(isPlain ? #/ principal=user-1 /# : #/ principal=[0-9a-f]{16} /#)
                    == (code != "unauthenticated"))
            guard code != "not_allowed", code != "unauthenticated" else { continue }
            let reason = detail.replacing("\"trip-8\"", with: isPlain ? "\"trip-8\"" : "DIGEST")
            let logged = line.replacing("\\\"", with: "\"").replacing(/"[0-9a-f]{16}"/, with: "DIGEST")
            #expect(logged.contains("reason=\"\(reason)\""), "\(logged)")
        }
        #expect(try daemon.log().contains("trip-8") == isPlain)
        let audited = try files.auditRecords().compactMap { $0["reason"] as? String }
        #expect(answers.dropFirst(2).allSatisfy { audited.contains($0.detail) }, "\(audited)")
    }

    // MARK: -

    private func explain(_ token: String, trip: String) throws -> String {
        let flags = ["--config", files.scratch.path("token-provider.yaml"), "--as", token, "--trip", trip, "--json"]
        let outcome = try Program.run(Program.daemon, ["explain"] + flags)
        #expect(outcome.status == 1, "\(outcome.errors)")
        return try #require(outcome.json()["reason"] as? String)
    }
}
