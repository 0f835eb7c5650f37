import Foundation
import StrictJSON
import Testing

@Suite struct JSONWriterTests {
    @Test func `text for people has escapes only where it could mislead`() {
        #expect(JSONEscaping.legible("a \"b\" \\ ü 🙂") == "a \"b\" \\ ü 🙂")
        #expect(
            JSONEscaping.legible("\u{1B}[2J\r\n\u{9B}m\u{202E}\u{2028}\u{7F}")
                == #"\u001b[2J\r\n\u009bm\u202e\u2028\u007f"#)
    }

    @Test func `an object holds its members in order, without spaces`() {
        var json = JSONWriter()
        json.object { json in
            json.member("text", "x")
            json.member("integer", Int64.min)
            json.member("yes", true)
            json.member("no", false)
            json.key("array")
            json.array { json in
                json.value(1)
                json.value("two")
                json.array { _ in }
                json.object { json in json.member("a", 1) }
            }
            json.key("object")
            json.object { _ in }
        }
        let expected = """
            {"text":"x","integer":-9223372036854775808,"yes":true,"no":false,"array":[1,"two",[],{"a":1}],"object":{}}
            """
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test(arguments: [JSONEscaping.interchange, .logLine])
    func `each scalar, alone or inside text, is read back by Foundation`(escaping: JSONEscaping) throws {
        let specials: [ClosedRange<UInt32>] = [
            0...0x300, 0x600...0x61C, 0x2000...0x2070, 0xD7FF...0xD7FF, 0xE000...0xE001, 0xFEFF...0xFEFF,
            0xFFF9...0xFFFF, 0x1F600...0x1F602, 0xE0001...0xE0001, 0x10FFFF...0x10FFFF,
        ]
        for scalar in specials.joined().compactMap(Unicode.Scalar.init) {
            for text in ["\(scalar)", "a\(scalar)ü\(scalar)\(scalar)z", "\(scalar)0041"] {
                let json = written(text, escaping)
                let read = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed) as? String
                #expect(read.map { Array($0.utf8) } == Array(text.utf8))
            }
        }
    }

    @Test(arguments: [
        ("\"", "\\\""), ("\\", "\\\\"), ("/", "/"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("\u{0}", "\\u0000"),
        ("\u{1F}", "\\u001f"), ("\u{7F}", "\\u007f"), ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"),
        ("\u{FEFF}", "\\ufeff"),
        ("ü", "ü"),
        ("\u{85}", "\u{85}"), ("\u{202E}", "\u{202E}"), ("€", "€"), ("😀", "😀"),
    ])
    func `interchange escaping escapes only what must be escaped`(text: String, escaped: String) {
        #expect(written(text, .interchange) == Array("\"\(escaped)\"".utf8))
    }

    @Test(arguments: [
        ("\u{85}", "\\u0085"), ("\u{9B}", "\\u009b"), ("\u{AD}", "\\u00ad"), ("\u{61C}", "\\u061c"),
        ("\u{200B}", "\\u200b"), ("\u{202E}", "\\u202e"), ("\u{2066}", "\\u2066"), ("\u{FEFF}", "\\ufeff"),
        ("\u{E0001}", "\\udb40\\udc01"), ("ü", "ü"), ("😀", "😀"), ("a\u{1B}[31m", "a\\u001b[31m"), ("\"", "\\\""),
    ])
    func `log escaping also escapes what changes how a line displays`(text: String, escaped: String) {
        #expect(written(text, .logLine) == Array("\"\(escaped)\"".utf8))
    }

    @Test func `log escaping leaves no control or format character`() {
        for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
            let category = scalar.properties.generalCategory
            guard category == .control || category == .format else { continue }
            #expect(written("\(scalar)", .logLine).allSatisfy { (0x20...0x7E).contains($0) })
        }
    }

    @Test func `a member's name is escaped like its value`() {
        var json = JSONWriter()
        json.object { json in json.member("a\"b", "c") }
        #expect(json.bytes == Array("{\"a\\\"b\":\"c\"}".utf8))
    }

    @Test func `JSON as a string is read back as it was`() throws {
        var inner = JSONWriter()
        inner.object { json in json.member("a\"b\\", "c\n\u{2028}é") }
        var json = JSONWriter()
        json.value(compactJSON: inner.bytes)
        #expect(json.bytes == written(String(decoding: inner.bytes, as: UTF8.self), .interchange))
        #expect(try JSONValue(parsing: json.bytes) == .string(String(decoding: inner.bytes, as: UTF8.self)))
    }

    @Test func `a copied writer continues independently of the original`() {
        var open = JSONWriter(reserving: 64)
        open.beginObject()
        open.member("a", 1)
        var copy = open
        copy.member("b", 2)
        copy.endObject()
        open.endObject()
        #expect(copy.bytes == Array(#"{"a":1,"b":2}"#.utf8))
        #expect(open.bytes == Array(#"{"a":1}"#.utf8))
    }

    private func written(_ text: String, _ escaping: JSONEscaping) -> [UInt8] {
        var json = JSONWriter(escaping: escaping)
        json.value(text)
        return json.bytes
    }
}
