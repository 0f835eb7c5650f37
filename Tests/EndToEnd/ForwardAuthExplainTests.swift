import TestSupport
import Testing

/// `token-provider explain` where a back end decides.
@Suite(.blocking) struct ForwardAuthExplainTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `explain asks the back end and reports its decision`() throws {
        let path = try configuration("", rules: "", more: "")
        func explain(_ trip: String) throws -> [String: Any] {
            try files.run(["explain", "--config", path, "--as", "caller-canary", "--trip", trip, "--json"]).json()
        }
        let named = try explain("named-1")
        #expect(named["allowed"] as? Bool == true)
        #expect(named["principal"] as? String == "r\u{E9}n\u{E9}")
        #expect(named["source"] as? String == "forward_auth")
        #expect(named["rule"] as? String == "riders")
        #expect(named["lifetime"] == nil)
        #expect(try explain("short-1")["lifetime"] as? Int == 120)
        #expect(
            try explain("deny-1")["reason"] as? String
                == "the back end of the rule riders refused the token (403)")
        #expect(
            try explain("missing-1")["reason"] as? String
                == "the back end of the rule riders gave no decision: the back end answered with the status 404; "
                + "expected 2xx, 401 or 403")
        let shown = try backEnd.seen().questions.map { $0.values("authorization") }
        #expect(shown == Array(repeating: ["Bearer caller-canary"], count: 4))
    }

    @Test func `explain sends given headers like serve and lists the missing ones`() throws {
        let path = try configuration("headers: [Cookie, X-Tenant, X-Region]", rules: "", more: "")
        let explain = ["explain", "--config", path, "--as", "caller-canary", "--trip", "allow-1"]
        let fields = ["--header", "x-tenant:  one ", "--header", "Cookie: a=1:2", "--header", "X-Tenant: two"]
        let outcome = try files.run(explain + fields)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\nwithout: X-Region (give them by --header)\n"))
        let question = try #require(try backEnd.seen().questions.last)
        #expect(question.values("x-tenant") == ["one", "two"])
        #expect(question.values("cookie") == ["a=1:2"])
        #expect(question.values("x-region").isEmpty)
        let json = try files.run(explain + ["--json"]).json()
        #expect(json["unsent_headers"] as? [String] == ["Cookie", "X-Tenant", "X-Region"])
        #expect(try !files.run(explain + fields + ["--header", "X-Region: eu"]).output.contains("without"))
        let short = ["explain", "--config", path, "--as", "caller-canary", "--trip", "short-1"]
        #expect(try files.run(short).output.contains("\nfor:     at most 120 s\n"))
    }

    @Test func `explain passes on credentials that only the back end understands`() throws {
        let path = try configuration("", rules: "", more: "")
        let explain = ["explain", "--config", path, "--trip", "allow-1", "--header", "authorization: Basic dTpw"]
        #expect(try files.run(explain).status == 0)
        #expect(try backEnd.seen().questions.last?.values("authorization") == ["Basic dTpw"])
        let refused = try files.run(explain + ["--as", "caller-canary"])
        #expect(refused.status == 64)
        #expect(
            refused.sentences == ["--header authorization: --as already names the caller; expected one of them"])
        #expect(try files.run(explain + ["--certificate", "dns:depot.example.com"]).status == 64)
    }

    @Test func `a bearer token in a header is used as the caller's credentials`() throws {
        let path = try configuration("", rules: "", more: "")
        let bearer = ["--header", "Authorization: Bearer caller-canary"]
        let explain = ["explain", "--config", path, "--trip", "named-1"] + bearer
        #expect(try files.run(explain).status == 0)
        #expect(try backEnd.seen().questions.map { $0.values("authorization") } == [["Bearer caller-canary"]])
        // Repeated credentials are refused without asking the back end.
        let twice = try files.run(explain + bearer)
        #expect(twice.status == 1)
        #expect(
            twice.output.contains(
                "because: the header authorization has credentials more than once; expected it once\n"))
        #expect(try backEnd.seen().questions.count == 1)
    }

    @Test func `an API key in a header is accepted like in serve`() throws {
        let key = try apiKey()
        let path = try configuration(
            "", rules: "  - {name: depot, kinds: [server], api_keys: [dispatch]}",
            more: "api_keys: {file: api-keys, header: X-API-Key}")
        let explain = ["explain", "--config", path]
        let (bearer, field) = (["--header", "authorization: Bearer \(key)"], ["--header", "x-api-key: \(key)"])
        for credentials in [bearer, field] {
            let outcome = try files.run(explain + ["--kind", "server"] + credentials)
            #expect(outcome.status == 0)
            #expect(
                outcome.output == """
                    allowed: a token of the kind server
                    caller:  "dispatch" (api_key)
                    because: the rule depot allows it

                    ✓ credentials  "dispatch" (api_key)
                    ✓ rule depot   it allows this

                    """)
            #expect(try files.run(explain + ["--trip", "allow-1"] + credentials).status == 0)
        }
        #expect(try backEnd.seen().questions.map { $0.values("authorization") } == [[], []])
        for credentials in [bearer + field, field + field] {
            let outcome = try files.run(explain + ["--kind", "server"] + credentials)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("caller:  not authenticated\n"))
        }
        let beside = try files.run(explain + ["--kind", "server", "--as", key] + field)
        #expect(beside.status == 64)
        #expect(beside.sentences == ["--header x-api-key: --as already names the caller; expected one of them"])
    }

    @Test func `an unused or malformed header is a usage error`() throws {
        let path = try configuration("headers: [Cookie]", rules: "", more: "")
        for (field, sentence) in [
            (
                "X-Tenant: one",
                "--header X-Tenant: serve ignores this header; expected Authorization, api_keys.header, "
                    + "issuers[].header or a name of forward_auth.headers"
            ),
            ("Cookie", "--header has no colon; expected 'Name: value'"),
        ] {
            let outcome = try files.run(["explain", "--config", path, "--trip", "allow-1", "--header", field])
            #expect(outcome.status == 64)
            #expect(outcome.sentences == [sentence])
        }
        #expect(try backEnd.seen().questions.isEmpty)
    }
}
