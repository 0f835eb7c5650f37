import Foundation
import Testing

@testable import StrictJSON

@Suite struct JSONNameTests {
    /// Texts of each length around the longest that is stored without a string, in ASCII and not.
    static let texts: [String] = (0...18).flatMap { (count: Int) -> [String] in
        let plain = String("abcdefghijklmnopqrs".prefix(count))
        return [plain, plain + "\u{0}", plain + "\u{E9}", plain + "\u{1F600}", String(plain.reversed())]
    }

    @Test(arguments: texts) func `a name keeps its text and equals names with the same text`(text: String) {
        #expect(JSONName(text).text.utf8.elementsEqual(text.utf8))
        for other in Self.texts {
            let areSame = text.utf8.elementsEqual(other.utf8)
            #expect((JSONName(text) == JSONName(other)) == areSame)
            #expect(!areSame || JSONName(text).hashValue == JSONName(other).hashValue)
        }
    }

    @Test(arguments: texts) func `a parsed name equals the name made of its text`(text: String) throws {
        let escaped = text.replacingOccurrences(of: "\u{0}", with: #"\u0000"#)
        for json in [#"{"\#(escaped)":1}"#, #"{"\#(escaped)" : 1, "other": 2, "and one": 3}"#] {
            guard case .object(let members) = try JSONValue(parsing: Array(json.utf8)) else {
                Issue.record("no object")
                return
            }
            #expect(members.first?.name == JSONName(text))
            #expect(members[JSONName(text)] == .integer(1))
        }
    }

    @Test func `a name in code equals the parsed name`() throws {
        let value = try JSONValue(
            parsing: Array(#"{"":0,"iss":1,"seven77":2,"eight888":3,"preferred_username":4}"#.utf8))
        #expect(
            value
                == .object([
                    "": .integer(0), "iss": .integer(1), "seven77": .integer(2), "eight888": .integer(3),
                    "preferred_username": .integer(4),
                ]))
    }

    @Test(arguments: [
        "{\"", "{\"a", "{\"abcdefg", "{\"abcdefgh", "{\"\u{1}\":1}", "{\"abc\u{1}\":1}     ", "{\"abcdefg\":",
    ])
    func `a name that is truncated or has a control character is refused`(json: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(json.utf8)) }
    }
}
