import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

struct HTTPFieldsTests {
    @Test func `fields are rendered in order`() throws {
        let fields = try #require(HTTPFields([("Allow", "GET, HEAD"), ("X-Empty", ""), ("x", "\u{e9}\ty")]))
        #expect(String(decoding: fields.bytes, as: UTF8.self) == "Allow: GET, HEAD\r\nX-Empty: \r\nx: \u{e9}\ty\r\n")
        #expect(HTTPFields([]) == HTTPFields.none)
    }

    @Test func `two blocks are joined in order`() throws {
        let first = try #require(HTTPFields([("A", "1")]))
        let second = try #require(HTTPFields([("B", "2")]))
        #expect((first + second).bytes == Array("A: 1\r\nB: 2\r\n".utf8))
        #expect(first + HTTPFields.none == first)
    }

    @Test func `a name holds only token characters`() {
        for byte in UInt8.min...0x7f {
            let name = "X" + String(Unicode.Scalar(byte))
            #expect((HTTPFields([(name, "v")]) != nil) == Characters.token.contains(byte), "\(byte)")
        }
        #expect(HTTPFields([("", "v")]) == nil)
        #expect(HTTPFields([("é", "v")]) == nil)
    }

    @Test func `a value with a control character other than tab is refused`() {
        for byte in UInt8.min...0x7f {
            let value = "a" + String(Unicode.Scalar(byte)) + "b"
            #expect((HTTPFields([("X", value)]) != nil) == Characters.fieldValue.contains(byte), "\(byte)")
        }
    }

    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "\r\n\r\n<html>", "a\0", "a\u{7f}"])
    func `a value that would split the response is refused`(value: String) {
        #expect(HTTPFields([("X", value)]) == nil)
        #expect(HTTPFields([("A", "b"), ("X", value)]) == nil)
        #expect(HTTPFields([(value, "b")]) == nil)
    }
}
