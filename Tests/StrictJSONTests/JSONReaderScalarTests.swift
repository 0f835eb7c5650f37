import StrictJSON
import Testing

@Suite struct JSONReaderNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-1", -1), ("10", 10), ("1234567890", 1_234_567_890),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ] as [(String, Int64)])
    func `a whole number that fits 64 bits is an integer`(text: String, integer: Int64) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == .integer(integer))
        #expect(try JSONValue(parsing: Array("[\(text)]".utf8)) == .array([.integer(integer)]))
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "1.0", "-0.0", "0.5", "1e2", "1E2", "1e+2", "1e-2", "0e0",
        "-0e-0",
        "1.25e10", "1e999999999", "-1e-999999999", "0.000", "1e00", "123456789012345678901234567890",
    ])
    func `any other number is stored as it is written`(text: String) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == .number(text))
        #expect(try JSONValue(parsing: Array("[\(text) ]".utf8)) == .array([.number(text)]))
    }

    @Test(
        arguments: [
            ("00", .malformedNumber, 0), ("01", .malformedNumber, 0), ("-01", .malformedNumber, 1),
            ("-00.5", .malformedNumber, 1), ("+1", .noValue, 0), (".5", .noValue, 0), ("-.5", .malformedNumber, 1),
            ("1.", .cutOff, 2), ("[1.]", .malformedNumber, 3), ("1.e1", .malformedNumber, 2),
            ("1.5.5", .trailingBytes, 3),
            ("-", .cutOff, 1), ("[-]", .malformedNumber, 2), ("--1", .malformedNumber, 1), ("- 1", .malformedNumber, 1),
            ("1e", .cutOff, 2), ("1e+", .cutOff, 3), ("[1e]", .malformedNumber, 3), ("1e+-1", .malformedNumber, 3),
            ("1e1.5", .trailingBytes, 3), ("1ee1", .malformedNumber, 2), ("0x10", .trailingBytes, 1),
            ("1_000", .trailingBytes, 1), ("1a", .trailingBytes, 1), ("-Infinity", .malformedNumber, 1),
            ("1 000", .trailingBytes, 2), ("\u{661}", .noValue, 0), ("1\u{662}", .trailingBytes, 1),
            ("1-2", .trailingBytes, 1),
        ] as [(String, JSONError.Problem, Int)])
    func `a malformed number is refused`(text: String, problem: JSONError.Problem, offset: Int) {
        expectRefusal(text, problem, at: offset)
    }

    @Test func `a number of a hundred thousand digits is stored completely`() throws {
        let text = String(repeating: "9", count: 100_000)
        #expect(try JSONValue(parsing: Array(text.utf8)) == .number(text))
    }
}

@Suite struct JSONReaderStringTests {
    @Test(arguments: [
        (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"a\u0041\u00e9\u00E9\u20aC"#, "aAéé€"),
        (#"\u0000"#, "\u{0}"),
        (#"\ud83d\ude00"#, "😀"), (#"\uD800\uDC00"#, "\u{10000}"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
        (#"\uFFFF\uFEFF\uD7FF\uE000"#, "\u{FFFF}\u{FEFF}\u{D7FF}\u{E000}"), ("/\u{7F}\u{80}", "/\u{7F}\u{80}"),
        ("\u{2028}\u{FEFF}é😀\u{FFFE}", "\u{2028}\u{FEFF}é😀\u{FFFE}"), (#"\\u0041"#, #"\u0041"#),
        ("' [] {} ,:", "' [] {} ,:"),
    ])
    func `escapes are resolved and other text is unchanged`(written: String, text: String) throws {
        #expect(try JSONValue(parsing: Array("\"\(written)\"".utf8)) == .string(text))
        #expect(try JSONValue(parsing: Array("{\"\(written)\":1}".utf8)) == .object([JSONName(text): .integer(1)]))
    }

    @Test(
        arguments: [
            (#""\a""#, .malformedEscape, 1), (#""\'""#, .malformedEscape, 1), (#""\0""#, .malformedEscape, 1),
            (#""\x41""#, .malformedEscape, 1), (#""\N""#, .malformedEscape, 1), (#""\U0041""#, .malformedEscape, 1),
            ("\"\\\n\"", .malformedEscape, 1), (#""\é""#, .malformedEscape, 1), (#""\u""#, .malformedEscape, 3),
            (#""\u004""#, .malformedEscape, 6), (#""\u004g""#, .malformedEscape, 6),
            (#""\u+041""#, .malformedEscape, 3),
            (#""\u{41}""#, .malformedEscape, 3), (#""\ud83d\u00""#, .malformedEscape, 11), (#""\""#, .cutOff, 3),
            (#""\u00"#, .cutOff, 5), ("\"", .cutOff, 1), ("\"a", .cutOff, 2), (#""\"#, .cutOff, 2),
            (#""\ud800""#, .loneSurrogate, 1), (#""a\udc00""#, .loneSurrogate, 2),
            (#""\ude00\ud83d""#, .loneSurrogate, 1),
            (#""\ud83d\ud83d\ude00""#, .loneSurrogate, 1), (#""\ud83dx""#, .loneSurrogate, 1),
            (#""\ud83d\n""#, .loneSurrogate, 1), (#""\ud83d\u0041""#, .loneSurrogate, 1),
            (#""\ud83d\ue000""#, .loneSurrogate, 1), (#""\ud83d😀""#, .loneSurrogate, 1),
            (#"{"\udfff":1}"#, .loneSurrogate, 2), ("\"\n\"", .controlCharacter, 1), ("\"a\tb\"", .controlCharacter, 2),
            ("{\"\r\":1}", .controlCharacter, 2),
        ] as [(String, JSONError.Problem, Int)])
    func `a malformed string is refused`(text: String, problem: JSONError.Problem, offset: Int) {
        expectRefusal(text, problem, at: offset)
    }

    @Test func `an escape accepts only hexadecimal digits and the characters of RFC 8259`() {
        for byte in UInt8.min...UInt8.max {
            let digit = UInt32(String(decoding: [byte], as: UTF8.self), radix: 16)
            let expected = digit.flatMap(Unicode.Scalar.init).map { JSONValue.string(String($0)) }
            #expect((try? JSONValue(parsing: Array("\"\\u000".utf8) + [byte, 0x22])) == expected)
            let isEscape = "\"\\/bfnrt".utf8.contains(byte)
            #expect(((try? JSONValue(parsing: [0x22, 0x5C, byte, 0x22])) != nil) == isEscape)
        }
    }

    @Test func `a string accepts ASCII from the space on, except quotes and backslashes`() throws {
        for byte in UInt8.min...UInt8.max {
            let value = try? JSONValue(parsing: [0x22, byte, 0x22])
            let stands = (0x20...0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
            #expect(value == (stands ? .string(String(Unicode.Scalar(byte))) : nil))
        }
    }

    @Test(arguments: 0..<20)
    func `every position of a long string accepts the same bytes`(place: Int) throws {
        for byte in UInt8.min...UInt8.max {
            let stands = (0x20...0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
            for other in [0x20, 0x7F] as [UInt8] {
                var text = [UInt8](repeating: other, count: 20)
                text[place] = byte
                let value = try? JSONValue(parsing: [0x22] + text + [0x22])
                #expect(value == (stands ? .string(String(decoding: text, as: UTF8.self)) : nil))
            }
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE],
            [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3, 0xA9, 0xA9],
        ] as [[UInt8]])
    func `ill-formed UTF-8 is refused, even next to or across escapes`(bytes: [UInt8]) {
        let escapes: [[UInt8]] = [
            [], Array("a".utf8), Array(#"\n"#.utf8), Array(#"\u00a9"#.utf8), Array(#"\u20ac"#.utf8),
        ]
        for (before, after) in escapes.flatMap({ before in escapes.map { (before, $0) } }) {
            let error = #expect(throws: JSONError.self) {
                try JSONValue(parsing: Array("[\"".utf8) + before + bytes + after + Array("\"]".utf8))
            }
            #expect(error?.problem == .illFormedUTF8)
            #expect(error?.offset == 1)
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }
}
