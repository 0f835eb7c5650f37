import Testing

@testable import SeparateSigning

/// What a daemon and its signing process send each other.
@Suite struct SigningMessageTests {
    private static let messages: [SigningRequest.Message] = [
        (0, Array("header.claims".utf8)), (65_535, []), (7, [UInt8](repeating: 0xFF, count: 70_000)),
    ]

    private func request(_ packet: [UInt8]) -> SigningRequest? {
        packet.withUnsafeBytes { SigningRequest(packet: $0) }
    }

    private func answer(_ packet: [UInt8], count: Int) -> SigningAnswer? {
        packet.withUnsafeBytes { SigningAnswer(packet: $0, count: count) }
    }

    @Test func `a request's packet reads as the same request`() throws {
        for count in 1...Self.messages.count {
            let sent = SigningRequest(Array(Self.messages.prefix(count)))
            #expect(try request(#require(sent.packet)) == sent)
        }
    }

    @Test func `a packet that is cut off or longer is no request`() throws {
        let packet = try #require(SigningRequest(Array(Self.messages.prefix(2))).packet)
        for count in 0..<packet.count { #expect(request(Array(packet.prefix(count))) == nil) }
        #expect(request(packet + [0]) == nil)
        #expect(request([0]) == nil)
        #expect(request([9] + [UInt8](repeating: 0, count: 54)) == nil)
    }

    @Test func `requests that are empty, too many or too long have no packet`() {
        #expect(SigningRequest([]).packet == nil)
        #expect(SigningRequest(Array(repeating: (0, []), count: 9)).packet == nil)
        let long = [UInt8](repeating: 0, count: SigningRequest.maxBytes)
        #expect(SigningRequest([(0, long)]).packet == nil)
    }

    @Test func `an answer's packet reads as the same answer`() {
        for fault in [nil, "a wrong signature"] {
            let sent = SigningAnswer([[1, 2, 3], nil, [UInt8](repeating: 9, count: 2048)], fault: fault)
            #expect(answer(sent.packet, count: 3) == sent)
        }
        #expect(answer(SigningAnswer([[1, 2, 3]]).packet, count: 2) == nil)
        #expect(answer([0, 5, 1], count: 1) == nil)
    }

    private static let terms = KeyTerms(
        keys: [
            KeyTerms.Key(
                credentials: "/a b/key.json",
                tokens: [
                    KeyTerms.Tokens(.driver, audience: "https://fleetengine.googleapis.com/", lifetime: 3600),
                    KeyTerms.Tokens(.server, audience: "https://x/", lifetime: 60),
                ]), KeyTerms.Key(credentials: "application_default", tokens: []),
        ], universeDomain: "googleapis.com", batch: "/lib/x.so", isConfined: true)

    @Test func `terms and reports read as they were written`() {
        var terms = Self.terms
        #expect(KeyTerms(json: terms.json) == terms)
        (terms.allowsDefaultServiceAccounts, terms.isConfined, terms.allowedHosts) = (true, false, ["sts.example"])
        #expect(KeyTerms(json: terms.json) == terms)
        var report = KeyReport()
        report.entries = [
            .key(KeyReport.Key(account: "a@b", keyID: "k", publicKey: "PEM\n", source: "/key.json")), .other,
            .failure("/x: \"quoted\""),
        ]
        (report.warnings, report.sentence, report.signsBatches) = (["w"], "one at a time", true)
        #expect(KeyReport(json: report.json) == report)
        for text in ["", "[]", "{}", "{\"entries\":[{\"account\":\"a\"}],\"warnings\":[],\"sentence\":\"\"}"] {
            #expect(KeyReport(json: Array(text.utf8)) == nil)
            #expect(KeyTerms(json: Array(text.utf8)) == nil)
        }
    }

    @Test func `only what terms allow beyond others is in excess`() {
        func terms(_ credentials: String, _ tokens: KeyTerms.Tokens) -> KeyTerms {
            var terms = Self.terms
            terms.keys = [KeyTerms.Key(credentials: credentials, tokens: [tokens])]
            return terms
        }
        let path = "/a b/key.json"
        let usual = KeyTerms.Tokens(.server, audience: "https://x/", lifetime: 59)
        #expect(terms(path, usual).excess(over: Self.terms) == [])
        #expect(terms("/other", usual).excess(over: Self.terms) == ["the key files", "the kinds of each key"])
        let changes: [(KeyTerms.Tokens, String)] = [
            (KeyTerms.Tokens(.consumer, audience: "https://x/", lifetime: 60), "the kinds of each key"),
            (KeyTerms.Tokens(.server, audience: "https://y/", lifetime: 60), "the audiences of tokens"),
            (KeyTerms.Tokens(.server, audience: "https://x/", lifetime: 61), "the longest lifetime"),
        ]
        for (tokens, setting) in changes { #expect(terms(path, tokens).excess(over: Self.terms) == [setting]) }
    }
}
