import Foundation
import Testing

/// The company's back end decides: the real binary asks one that is scripted.
@Suite struct ForwardAuthTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `2xx allows, 401 and 403 refuse, and the client is told nothing that the back end said`() throws {
        let daemon = try daemon()
        for word in ["allow", "accepted", "none", "anything"] {
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
        let nobody = try ask(daemon, "tripID=unknown-2", as: nil)
        #expect(nobody.status == 401)
        #expect(nobody.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
        // What a challenge asks for was shown in the one, and in the other not (RFC 6750 section 3.1).
        let scope = #"Bearer realm="token-provider", error="insufficient_scope""#
        #expect(denied.fields["www-authenticate"] == scope)
        for fields in [[], ["-H", "Authorization: Basic dTpw"]] {
            let stranger = try ask(daemon, "tripID=deny-2", as: nil, fields)
            #expect(stranger.status == 403)
            #expect(try code(stranger) == "not_allowed")
            #expect(stranger.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
        }
        let basic = try ask(daemon, "tripID=unknown-3", as: nil, ["-H", "Authorization: Basic dTpw"])
        #expect(basic.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
    }

    @Test func `a refusal refuses however much the back end says with it`() throws {
        let daemon = try daemon()
        #expect(try ask(daemon, "tripID=longdeny-1").status == 403)
        #expect(try ask(daemon, "tripID=longunknown-1").status == 401)
    }

    @Test(arguments: [
        "error", "missing", "moved", "busy", "false", "torn", "garbage", "drop", "broken", "huge", "slow", "page",
        "untyped", "twice",
    ])
    func `anything else is an outage, and nobody gets a token by it`(word: String) throws {
        let daemon = try daemon("timeout: 500ms")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        let answer = try ask(daemon, "tripID=\(word)-1")
        #expect(answer.status == 503)
        #expect(try code(answer) == "caller_check_unavailable")
        #expect(answer.fields["retry-after"] == "5")
        #expect(try ask(daemon, "tripID=allow-2").status == 200)
        #expect(!(try backEnd.seen().questions.contains { $0.path.contains("elsewhere") }))
        try daemon.waitForLog("asks a back end that decided nothing: ")
    }

    @Test func `the back end is given the id and the trace of a request, once each, and no trace that is none`() throws
    {
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

    @Test func `a back end that is not there is an outage`() throws {
        backEnd.end()
        #expect(try ask(try daemon(), "tripID=allow-1").status == 503)
    }

    @Test func `the back end is asked with the kind, the ids byte for byte, and what the request shows`() throws {
        let daemon = try daemon("fields: [Cookie, X-Tenant, X-Absent]")
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
        // The back end reads fields as Latin-1: these are the bytes of UTF-8.
        #expect(questions[0].values("x-tenant") == ["one", "caf\u{C3}\u{A9}"])
        for name in ["x-other", "x-absent", "user-agent"] { #expect(questions[0].values(name).isEmpty) }
        #expect(questions[0].values("content-type") == ["application/json"])
        #expect(questions[0].values("x-request-id").allSatisfy { $0.count == 16 })
        #expect(questions[1].text == "{\"kind\":\"task_batch\",\"ids\":{\"taskIDs\":[\"t-1\",\"t\u{FC}\"]}}")
        #expect(questions[1].values("authorization").isEmpty)
    }

    @Test func `two proofs at once are nobody's to judge, whatever each would be worth alone`() throws {
        _ = try apiKey()
        let daemon = try daemon(more: "api_keys: {file: api-keys, field: X-API-Key}")
        for second in ["Authorization: Bearer two", "X-API-Key: x"] {
            #expect(try ask(daemon, "tripID=a", as: "one", ["-H", second]).status == 401)
        }
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `a field that is not UTF-8 proves nothing and is passed on to nobody`() throws {
        let daemon = try daemon()
        let file = files.scratch.path("latin")
        try Data(Array("Authorization: Bearer caf".utf8) + [0xE9]).write(to: URL(filePath: file))
        #expect(try ask(daemon, "tripID=a", as: nil, ["-H", "@\(file)"]).status == 401)
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `a rule with API keys asks about their holders alone, and says who they are`() throws {
        let key = try apiKey()
        let daemon = try daemon(
            rules: "  - {name: fleet, kinds: [server], api_keys: [dispatch], forward_auth: true}",
            more: "api_keys: {file: api-keys}")
        let server = "\(daemon.url)/token/server"
        #expect(try Curl(server, ["-H", "Authorization: Bearer \(key)"]).status == 200)
        #expect(try Curl(server, ["-H", "Authorization: Bearer stranger"]).status == 401)
        #expect(try Curl(server).status == 401)
        // A key that is known to be none is disproved, whatever a back end would say.
        let forged = String(key.dropLast(4)) + "AAAA"
        #expect(try ask(daemon, "tripID=allow-1", as: forged).status == 401)
        #expect(try ask(daemon, "tripID=named-1", as: key).status == 200)
        #expect(
            try backEnd.seen().questions.map(\.text) == [
                #"{"kind":"server","ids":{},"principal":{"source":"api_key","name":"dispatch"}}"#,
                #"{"kind":"consumer","ids":{"tripID":"named-1"},"principal":{"source":"api_key","name":"dispatch"}}"#,
            ])
    }

    @Test func `what opens everything is for nobody whom neither a proof nor the back end names`() throws {
        let daemon = try daemon(rules: "  - {name: fleet, kinds: [server, consumer], forward_auth: true}")
        for proof in [[], ["-H", "Authorization: Bearer stranger"]] {
            let answer = try Curl("\(daemon.url)/token/server", proof)
            #expect(answer.status == 403)
            #expect(try code(answer) == "caller_required")
        }
        try daemon.waitForLog("asks names nobody, and the kind opens everything")
        #expect(try ask(daemon, "tripID=allow-1", as: nil).status == 200)
    }

    @Test func `a request that is wrong in itself is told so to nobody who is unknown`() throws {
        let daemon = try daemon()
        #expect(try ask(daemon, "tripID=a&tripID=b").status == 401)
        #expect(try ask(daemon, "nonsense=1", as: nil).status == 401)
        #expect(try Curl("\(daemon.url)/token/server", ["-H", "Authorization: Bearer x"]).status == 401)
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `records name who the back end says it is`() throws {
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

    @Test func `neither what callers show nor where the back end is asked is in the log`() throws {
        let daemon = try daemon("fields: [Cookie], timeout: 300ms", more: "log: {level: trace}")
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
