import Testing

@testable import HTTPClient

struct HTTPClientRequestTests {
    @Test func `a field's name is lower-cased and its value trimmed`() throws {
        let field = try HTTPClientField("X-Name", " \ta b\t ")
        #expect(field.name == "x-name")
        #expect(field.value == "a b")
        #expect(try HTTPClientField("x", "  ").value == "")
    }

    @Test func `invalid bytes in a field's name or value are refused`() {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8(0)...127 {
            let text = "a\(Character(Unicode.Scalar(byte)))b"
            #expect(((try? HTTPClientField(text, "")) != nil) == token.contains(byte), "\(byte)")
            #expect(((try? HTTPClientField("a", text)) != nil) == (byte == 9 || (byte >= 32 && byte != 127)), "\(byte)")
        }
        #expect(throws: HTTPClientFieldError.badName) { try HTTPClientField("", "") }
        #expect(throws: HTTPClientFieldError.badName) { try HTTPClientField("\u{E4}", "") }
    }

    @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection", "Expect", "TE", "Accept-Encoding"])
    func `a field that frames or routes the message is only received`(name: String) throws {
        let error = #expect(throws: HTTPClientFieldError.self) { try HTTPClientField(name, "x") }
        #expect(error?.sentence == "the header \(name.lowercased()) is set automatically; expected another header")
        #expect(try HTTPClientField(received: name, "x").name == name.lowercased())
    }

    @Test func `the error for a field does not contain its value`() {
        #expect(
            HTTPClientFieldError.badName.sentence
                == "the header name is not a token (RFC 9110); expected letters, digits and hyphens")
        let error = #expect(throws: HTTPClientFieldError.self) { try HTTPClientField("X-A", "canary\r\nHost: x") }
        #expect(error?.sentence == "the value of the header x-a holds a control character; expected none")
    }

    @Test(arguments: [
        (Duration.zero, Int32(0)), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
        (.seconds(-5), 0),
        (.seconds(3600), 3_600_000), (.seconds(1 << 40), 2_147_483_647),
    ])
    func `a wait is rounded up to milliseconds and never negative`(duration: Duration, milliseconds: Int32) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
