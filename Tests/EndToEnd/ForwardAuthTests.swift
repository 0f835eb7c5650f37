import Foundation
import TestSupport
import Testing

/// A company's back end decides: the real binary asks a scripted one.
@Suite(.blocking, .tags(.addressSanitizer)) struct ForwardAuthTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `2xx allows, 401 and 403 refuse, without relaying the back end's answer`() throws {
        let daemon = try daemon()
        for word in ["allow", "accepted", "none", "anything", "empty"] {
            #expect(try ask(daemon, "tripID=\(word)-1").status == 200)
        }
        let denied = try ask(daemon, "tripID=deny-1")
        #expect(denied.status == 403)
        #expect(try code(denied) == "not_allowed")
        let unknown = try ask(daemon, "tripID=unknown-1")
        #expect(unknown.status == 401)
        #expect(try code(unknown) == "invalid_credentials")
        #expect(unknown.fields["www-authenticate"] == #"Bearer realm="token-provider", error="invalid_token""#)
        #expect(unknown.fields["location"] == nil)
        let anonymous = try ask(daemon, "tripID=unknown-2", as: nil)
        #expect(anonymous.status == 401)
        #expect(anonymous.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
        // Only a request with a bearer token gets an error code in its challenge (RFC 6750 section 3.1).
        let scope = #"Bearer realm="token-provider", error="insufficient_scope""#
        #expect(denied.fields["www-authenticate"] == scope)
        for fields in [[], ["-H", "Authorization: Basic dTpw"]] {
            let refused = try ask(daemon, "tripID=deny-2", as: nil, fields)
            #expect(refused.status == 403)
            #expect(try code(refused) == "not_allowed")
            #expect(refused.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
        }
        let basic = try ask(daemon, "tripID=unknown-3", as: nil, ["-H", "Authorization: Basic dTpw"])
        #expect(basic.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
    }

    @Test func `a policy's result decides with body: opa`() throws {
        let daemon = try daemon("body: opa")
        let answers = [("true", 200), ("false", 403), ("none", 403), ("text", 503), ("allow", 503), ("deny", 403)]
        for (word, status) in answers {
            #expect(try ask(daemon, "tripID=\(word)-1").status == status, "\(word)")
        }
        try daemon.waitForLog("the policy of the rule ")
        try daemon.waitForLog("answered 200 with a body that has a result that is not true or false")
        let body = String(decoding: try #require(backEnd.seen().questions.first).body, as: UTF8.self)
        #expect(body == #"{"input":{"kind":"consumer","ids":{"tripID":"true-1"}}}"#)
        let explained = try files.run([
            "explain", "--config", files.scratch.path("token-provider.yaml"), "--as", "a", "--trip", "false-1",
        ])
        #expect(explained.status == 1 && explained.output.contains("refused the token (403)"), "\(explained.output)")
    }

    @Test func `a long refusal is still a refusal`() throws {
        let daemon = try daemon()
        #expect(try ask(daemon, "tripID=longdeny-1").status == 403)
        #expect(try ask(daemon, "tripID=longunknown-1").status == 401)
    }

    @Test(arguments: [
        "error", "missing", "moved", "busy", "false", "torn", "garbage", "drop", "broken", "huge", "slow", "page",
        "catchall",
        "untyped", "twice",
    ])
    func `any other answer is an outage and gives no token`(word: String) throws {
        let daemon = try daemon("timeout: 2s")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        let answer = try ask(daemon, "tripID=\(word)-1")
        #expect(answer.status == 503)
        #expect(try code(answer) == "caller_check_unavailable")
        #expect(answer.fields["retry-after"] == "5")
        #expect(try ask(daemon, "tripID=allow-2").status == 200)
        #expect(!(try backEnd.seen().questions.contains { $0.path.contains("elsewhere") }))
        try daemon.waitForLog("gave no decision: ")
    }

    @Test func `the back end gets request id and trace, valid ones only`() throws {
        let daemon = try daemon()
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let fields = ["X-Request-ID: mine", "traceparent: \(parent)", "tracestate: a=1", "tracestate: b=2"]
        #expect(try ask(daemon, "tripID=allow-1", fields.flatMap { ["-H", $0] }).status == 200)
        let wrong = ["traceparent: \(parent.uppercased())", "tracestate: a=1"]
        #expect(try ask(daemon, "tripID=allow-2", wrong.flatMap { ["-H", $0] }).status == 200)
        let questions = try backEnd.seen().questions
        try #require(questions.count == 2)
        #expect(questions[0].values("x-request-id") == ["mine"])
        #expect(questions[0].values("traceparent") == [parent])
        #expect(questions[0].values("tracestate") == ["a=1,b=2"])
        #expect(questions[1].values("x-request-id").count == 1)
        #expect(questions[1].values("traceparent").isEmpty)
        #expect(questions[1].values("tracestate").isEmpty)
    }

    @Test func `an unreachable back end is an outage`() throws {
        backEnd.end()
        #expect(try ask(try daemon(), "tripID=allow-1").status == 503)
    }

    @Test func `the back end gets kind, exact ids and the configured headers`() throws {
        let daemon = try daemon("headers: [Cookie, X-Tenant, X-Absent]")
        let ids = "caf%C3%A9%20%F0%9F%9A%9A%22%5C%26%3D"
        let shown = ["-H", "Cookie: a=1; b=2", "-H", "X-Tenant: one", "-H", "x-tenant: caf\u{E9}", "-H", "X-Other: no"]
        #expect(try ask(daemon, "tripID=\(ids)", shown).status == 200)
        #expect(try ask(daemon, "taskIDs=t-1,t%C3%BC", as: nil).status == 200)
        let questions = try backEnd.seen().questions
        try #require(questions.count == 2)
        #expect(questions[0].path == "/allowed?key=backend-url-canary")
        #expect(questions[0].text == "{\"kind\":\"consumer\",\"ids\":{\"tripID\":\"caf\u{E9} \u{1F69A}\\\"\\\\&=\"}}")
        #expect(questions[0].values("authorization") == ["Bearer caller-canary"])
        #expect(questions[0].values("cookie") == ["a=1; b=2"])
        // The back end reads headers as Latin-1: these are the bytes of UTF-8.
        #expect(questions[0].values("x-tenant") == ["one", "caf\u{C3}\u{A9}"])
        for name in ["x-other", "x-absent", "user-agent"] { #expect(questions[0].values(name).isEmpty) }
        #expect(questions[0].values("content-type") == ["application/json"])
        #expect(questions[0].values("x-request-id").allSatisfy { $0.count == 16 })
        #expect(questions[1].text == "{\"kind\":\"task_batch\",\"ids\":{\"taskIDs\":[\"t-1\",\"t\u{FC}\"]}}")
        #expect(questions[1].values("authorization").isEmpty)
    }

    @Test func `two credentials in one request are refused without asking the back end`() throws {
        _ = try apiKey()
        let daemon = try daemon(more: "api_keys: {file: api-keys, header: X-API-Key}")
        for second in ["Authorization: Bearer two", "X-API-Key: x"] {
            #expect(try ask(daemon, "tripID=a", as: "one", ["-H", second]).status == 401)
        }
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `a header that is not UTF-8 is refused and not passed on`() throws {
        let daemon = try daemon()
        let file = files.scratch.path("latin")
        try Data(Array("Authorization: Bearer caf".utf8) + [0xE9]).write(to: URL(filePath: file))
        #expect(try ask(daemon, "tripID=a", as: nil, ["-H", "@\(file)"]).status == 401)
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `a rule with API keys asks only about key holders, by name`() throws {
        let key = try apiKey()
        let daemon = try daemon(
            rules: "  - {name: fleet, kinds: [server], api_keys: [dispatch], forward_auth: true}",
            more: "api_keys: {file: api-keys}")
        let server = "\(daemon.url)/token/server"
        #expect(try Curl(server, ["-H", "Authorization: Bearer \(key)"]).status == 200)
        #expect(try Curl(server, ["-H", "Authorization: Bearer unknown"]).status == 401)
        #expect(try Curl(server).status == 401)
        // An unknown API key is refused without asking the back end.
        let forged = String(key.dropLast(4)) + "AAAA"
        #expect(try ask(daemon, "tripID=allow-1", as: forged).status == 401)
        #expect(try ask(daemon, "tripID=named-1", as: key).status == 200)
        #expect(
            try backEnd.seen().questions.map(\.text) == [
                #"{"kind":"server","ids":{},"principal":{"source":"api_key","name":"dispatch"}}"#,
                #"{"kind":"consumer","ids":{"tripID":"named-1"},"principal":{"source":"api_key","name":"dispatch"}}"#,
            ])
        #expect(try backEnd.seen().questions.allSatisfy { $0.values("authorization").isEmpty })
    }

    @Test func `a wildcard kind needs a caller named by credentials or back end`() throws {
        let daemon = try daemon(rules: "  - {name: fleet, kinds: [server, consumer], forward_auth: true}")
        for credentials in [[], ["-H", "Authorization: Bearer unknown"]] {
            let answer = try Curl("\(daemon.url)/token/server", credentials)
            #expect(answer.status == 403)
            #expect(try code(answer) == "caller_required")
        }
        try daemon.waitForLog("names no caller, and tokens of the kind open the whole fleet")
        #expect(try ask(daemon, "tripID=allow-1", as: nil).status == 200)
    }

    @Test func `an invalid request from an unknown caller is 401`() throws {
        let daemon = try daemon()
        #expect(try ask(daemon, "tripID=a&tripID=b").status == 401)
        #expect(try ask(daemon, "nonsense=1", as: nil).status == 401)
        #expect(try Curl("\(daemon.url)/token/server", ["-H", "Authorization: Bearer x"]).status == 401)
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `audit records name the principal that the back end reports`() throws {
        let audit = files.scratch.path("audit")
        let daemon = try daemon(more: "audit: {output: file, file: \(audit)}")
        for word in ["named", "allow", "deny"] { _ = try ask(daemon, "tripID=\(word)-1") }
        try daemon.end()
        let records = try files.scratch.text("audit").split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.filter { $0["outcome"] != nil }
        #expect(records.map { $0["principal"] as? String } == ["r\u{E9}n\u{E9}", "", nil])
        #expect(records.map { $0["source"] as? String } == ["forward_auth", "forward_auth", nil])
        #expect(records.map { $0["rule"] as? String } == ["riders", "riders", nil])
        #expect(records.map { $0["outcome"] as? String } == ["minted", "minted", "denied"])
    }

    @Test func `credentials and the back-end URL do not appear in the log`() throws {
        let daemon = try daemon("headers: [Cookie], timeout: 300ms", more: "log: {level: trace}")
        let words = ["allow", "deny", "unknown", "error", "garbage", "broken", "moved", "slow", "drop", "torn", "huge"]
        for word in words {
            _ = try ask(daemon, "tripID=\(word)-1", as: "caller-canary", ["-H", "Cookie: cookie-canary"])
        }
        try daemon.end()
        let log = try daemon.log()
        #expect(log.contains("caller_check_unavailable"))
        for secret in ["caller-canary", "cookie-canary", "backend-url-canary", "inside", "result"] {
            #expect(!log.contains(secret))
        }
    }
}
