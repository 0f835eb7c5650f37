import HTTPClient
import Testing

@testable import HTTP2Client

/// What is kept of an answer, and its limits.
struct StreamAnswerTests {
    private func take(_ answer: inout StreamAnswer, _ known: inout KnownFields, _ name: String, _ value: String) -> Bool
    {
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { answer.take(name, $0, &known) }
        }
    }

    private func answer(_ lists: [[(String, String)]], _ known: inout KnownFields) throws -> HTTPClientResponse {
        var answer = StreamAnswer(maxBodyBytes: 10)
        for list in lists {
            answer.beginFields()
            for (name, value) in list { #expect(take(&answer, &known, name, value)) }
        }
        answer.end()
        guard case .answered(let response) = answer.outcome else { throw NoAnswer() }
        return response
    }

    private struct NoAnswer: Error {}

    @Test func `fields that change between answers are those of each answer`() throws {
        var known = KnownFields()
        for (type, date) in [("a", "1"), ("a", "2"), ("b", "2")] {
            let response = try answer([[(":status", "200"), ("content-type", type), ("date", date)]], &known)
            #expect(response.fields.map(\.value) == [type, date])
        }
        let shorter = try answer([[(":status", "204"), ("date", "2")]], &known)
        #expect(shorter.fields.map(\.name) == ["date"])
        #expect(shorter.status == 204)
    }

    @Test func `more fields than are remembered are all kept`() throws {
        var known = KnownFields()
        for _ in 0..<2 {
            let fields = (0..<50).map { ("x-\($0)", "\($0)") }
            #expect(try answer([[(":status", "200")] + fields], &known).fields.count == 50)
        }
    }

    @Test func `trailers and interim answers leave no fields`() throws {
        var known = KnownFields()
        let response = try answer(
            [[(":status", "103"), ("x-early", "1")], [(":status", "200"), ("x-final", "1")], [("x-late", "1")]], &known)
        #expect(response.fields.map(\.name) == ["x-final"])
    }

    @Test func `fields are taken up to the limit, to the byte`() {
        var known = KnownFields()
        var answer = StreamAnswer(maxBodyBytes: 0)
        answer.beginFields()
        #expect(take(&answer, &known, ":status", "200"))
        let value = String(repeating: "v", count: StreamAnswer.maxFieldBytes - 11)
        #expect(take(&answer, &known, "n", value))
        #expect(!take(&answer, &known, "n", ""))
        #expect(answer.excess == .tooLarge(part: "headers", limit: 65_536))
    }

    @Test func `a value that is not UTF-8 is left out`() {
        var known = KnownFields()
        let bytes: [UInt8] = [0xFF]
        let field = Array("x".utf8).withUnsafeBytes { name in bytes.withUnsafeBytes { known.field(0, name, $0) } }
        #expect(field == nil)
    }

    @Test func `an answer without a status or its end is none`() {
        var answer = StreamAnswer(maxBodyBytes: 0)
        guard case .failed(.other, nil) = answer.outcome else {
            Issue.record("an empty answer has another outcome")
            return
        }
        answer.end()
        guard case .failed(.other, nil) = answer.outcome else {
            Issue.record("an answer without a status has another outcome")
            return
        }
    }
}
