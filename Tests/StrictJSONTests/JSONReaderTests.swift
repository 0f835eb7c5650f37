import StrictJSON
import Testing

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), (" \t\r\n1 \t\r\n", .integer(1)),
            ("\"\"", .string("")), ("[]", .array([])), ("[ \n]", .array([])), ("{}", .object([:])),
            ("{ }", .object([:])),
            ("[1 , \"a\",null]", .array([.integer(1), .string("a"), .null])),
            ("[[],[[]]]", .array([.array([]), .array([.array([])])])),
            ("{\"\":0}", .object(["": .integer(0)])),
            ("{\"a\" : {\"a\":[]}}", .object(["a": .object(["a": .array([])])])),
            (" { \"a\" : true , \"b\" : false } ", .object(["a": .bool(true), "b": .bool(false)])),
            ("{\"a\":1,\"A\":2,\"a \":3}", .object(["a": .integer(1), "A": .integer(2), "a ": .integer(3)])),
        ] as [(String, JSONValue)])
    func `a text that RFC 8259 allows is read`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            ("", .empty, 0), (" \n", .empty, 2), ("\u{FEFF}1", .byteOrderMark, 0), (" \u{FEFF}1", .noValue, 1),
            ("\u{0}", .noValue, 0), ("nul", .cutOff, 3), ("nulL", .noValue, 0), ("nullx", .trailingBytes, 4),
            ("True", .noValue, 0), ("NaN", .noValue, 0), ("Infinity", .noValue, 0), ("'a'", .noValue, 0),
            ("1 2", .trailingBytes, 2), ("{}{}", .trailingBytes, 2), ("[]]", .trailingBytes, 2),
            ("1\u{0}", .trailingBytes, 1),
            ("[1,]", .noValue, 3), ("[,1]", .noValue, 1), ("[,]", .noValue, 1), ("[1,,2]", .noValue, 3),
            ("[1 2]", .noComma, 3), ("[1}", .noComma, 2), ("[1:2]", .noComma, 2), ("[", .cutOff, 1), ("[1", .cutOff, 2),
            ("]", .noValue, 0), ("}", .noValue, 0), ("{]", .noName, 1), ("{", .cutOff, 1), ("{1:2}", .noName, 1),
            ("{a:1}", .noName, 1), ("{,}", .noName, 1), ("{\"a\":1,}", .noName, 7), ("{\"a\"}", .noColon, 4),
            ("{\"a\",1}", .noColon, 4), ("{\"a\" 1}", .noColon, 5), ("{\"a\":}", .noValue, 5),
            ("{\"a\"::1}", .noValue, 5),
            ("{\"a\":1 \"b\":2}", .noComma, 7), ("{\"a\":1]", .noComma, 6), ("{null:1}", .noName, 1),
            ("[1]//x", .trailingBytes, 3), ("/**/1", .noValue, 0), ("[\u{A0}1]", .noValue, 1),
            ("[\u{C}1]", .noValue, 1),
            ("[\u{B}]", .noValue, 1), ("[1\u{2028}]", .noComma, 2), ("<a>", .noValue, 0), ("undefined", .noValue, 0),
        ] as [(String, JSONError.Problem, Int)])
    func `a text that RFC 8259 forbids is refused with problem and offset`(
        text: String, problem: JSONError.Problem, offset: Int
    ) {
        expectRefusal(text, problem, at: offset)
    }

    @Test(arguments: [
        ("{\"a\":1,\"a\":1}", 7), ("{\"a\":1,\"\\u0061\":2}", 7), ("{\"\\/\":1,\"/\":1}", 8), ("{\"\":1,\"\":2}", 6),
        ("[{\"b\":{\"a\":1,\"b\":2,\"a\":3}}]", 19), ("{\"😀\":1,\"\\uD83D\\uDE00\":2}", 10),
        ("{\"\\u0000\":1,\"b\":2,\"\\u0000\":3}", 18),
    ])
    func `a repeated name in an object is refused, even with escapes`(text: String, offset: Int) {
        expectRefusal(text, .repeatedName, at: offset)
    }

    @Test func `names and strings that are only canonically equivalent are different`() throws {
        let value = try JSONValue(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212A}\":3}".utf8))
        let named = try #require(members(of: value))
        #expect(named.count == 3)
        #expect(named["\u{E9}"] == .integer(1))
        #expect(named["e\u{301}"] == .integer(2))
        #expect(named["K"] == nil)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(JSONValue.number("1.0") != .number("1.00"))
        #expect(JSONValue.integer(1) != .bool(true))
    }

    @Test func `every prefix of a document is refused without quoting it`() throws {
        let text = #"{"CANARY":[-1.5e+3,true,false,null,{"b":"CANARY\ud83d\ude00é\n"},[]],"d":"CANARY"}"#
        let document = Array(text.utf8)
        #expect(try members(of: JSONValue(parsing: document))?.count == 2)
        for count in 0..<document.count {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(document.prefix(count))) }
            #expect(try #require(error?.offset) <= count)
            #expect(!String(reflecting: error).contains("CANARY"))
        }
    }

    @Test(arguments: JSONError.Problem.allCases)
    func `each problem has its own sentence with the offset`(problem: JSONError.Problem) {
        let sentence = JSONError(problem: problem, offset: 17).sentence
        #expect(sentence.hasPrefix("the JSON text "))
        #expect(sentence.contains(" at byte 17; expected "))
        let others = JSONError.Problem.allCases.filter { JSONError(problem: $0, offset: 17).sentence == sentence }
        #expect(others == [problem])
    }

    @Test func `of all single bytes only digits are values`() {
        for byte in UInt8.min...UInt8.max {
            let isDigit = (0x30...0x39).contains(byte)
            let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            #expect(((try? JSONValue(parsing: [byte])) != nil) == isDigit)
            #expect(((try? JSONValue(parsing: [0x5B, byte, 0x5D])) != nil) == (isDigit || isSpace))
            #expect(((try? JSONValue(parsing: [0x5B, 0x31, byte, 0x5D])) != nil) == (isDigit || isSpace))
            #expect(((try? JSONValue(parsing: [0x7B, 0x7D, byte])) != nil) == isSpace)
        }
    }
}

@Suite struct JSONReaderDepthTests {
    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (16, 16), (128, 128), (129, 128), (Int.max, 128)])
    func `arrays and objects are read down to the depth limit only`(limit: Int, deepest: Int) throws {
        for (opening, closing) in [("[", "]"), ("{\"a\":", "}"), ("[0,", ",0]")] {
            let text = { String(repeating: opening, count: $0) + "1" + String(repeating: closing, count: $0) }
            _ = try JSONValue(parsing: Array(text(deepest).utf8), maxDepth: limit)
            expectRefusal(text(deepest + 1), .tooDeep, at: deepest * opening.utf8.count, maxDepth: limit)
        }
    }

    @Test func `the default depth limit is 16, and siblings do not count`() throws {
        let neighbours = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
        _ = try JSONValue(parsing: Array(neighbours.utf8), maxDepth: 3)
        expectRefusal(String(repeating: "[", count: 17), .tooDeep, at: 16)
        expectRefusal(String(repeating: "[", count: 16), .cutOff, at: 16)
    }

    @Test func `a million brackets are refused without a stack overflow`() {
        expectRefusal(String(repeating: "[", count: 1_000_000), .tooDeep, at: 128, maxDepth: .max)
        expectRefusal(String(repeating: "{\"a\":", count: 1_000_000), .tooDeep, at: 640, maxDepth: .max)
    }

    @Test func `a name of a million combining marks takes linear time`() throws {
        let name = "a" + String(repeating: "\u{301}\u{316}", count: 500_000)
        let value = try JSONValue(parsing: Array("{\"\(name)\":\"\(name)\",\"\(name)b\":1}".utf8))
        #expect(value == .object([JSONName(name): .string(name), JSONName(name + "b"): .integer(1)]))
    }
}

func expectRefusal(
    _ text: String, _ problem: JSONError.Problem, at offset: Int, maxDepth: Int = 16,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: JSONError.self, sourceLocation: sourceLocation) {
        try JSONValue(parsing: Array(text.utf8), maxDepth: maxDepth)
    }
    #expect(error == JSONError(problem: problem, offset: offset), sourceLocation: sourceLocation)
}

func members(of value: JSONValue) -> JSONObject? {
    guard case .object(let members) = value else { return nil }
    return members
}
