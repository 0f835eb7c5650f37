import Testing

/// `token-provider explain` where a back end decides.
@Suite struct ForwardAuthExplainTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `explain asks the back end and says what it decided`() throws {
        let path = try configuration("", rules: "", more: "")
        func explain(_ trip: String) throws -> [String: Any] {
            try files.run(["explain", "--config", path, "--as", "caller-canary", "--trip", trip, "--json"]).json()
        }
        let named = try explain("named-1")
        #expect(named["allowed"] as? Bool == true)
        #expect(named["principal"] as? String == "r\u{E9}n\u{E9}")
        #expect(named["source"] as? String == "forward_auth")
        #expect(named["rule"] as? String == "riders")
        #expect(
            try explain("deny-1")["reason"] as? String
                == "the back end that the rule riders asks does not allow it (403)")
        #expect(
            try explain("missing-1")["reason"] as? String
                == "the rule riders asks a back end that decided nothing: the back end answered with the status 404; "
                + "expected 2xx, 401 or 403")
        let shown = try backEnd.seen().questions.map { $0.values("authorization") }
        #expect(shown == Array(repeating: ["Bearer caller-canary"], count: 3))
    }
}
