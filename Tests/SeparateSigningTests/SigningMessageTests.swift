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

    @Test func `terms, orders and reports read as they were written`() {
        let order = KeyOrder(["/a b/key.json", "application_default"])
        #expect(KeyOrder(json: order.json) == order)
        var terms = KeyTerms(
            audiences: ["https://fleetengine.googleapis.com/"], universeDomain: "googleapis.com", batch: "/lib/x.so",
            isConfined: true)
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
            #expect(KeyOrder(json: Array(text.utf8)) == nil)
            #expect(KeyTerms(json: Array(text.utf8)) == nil)
        }
    }
}
