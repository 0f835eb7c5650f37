import Foundation
import Testing

@testable import StrictJSON

@Suite struct JSONReaderAgreementTests {
    @Test(arguments: 0..<400)
    func `a generated document reads back unchanged and agrees with Foundation`(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        let value = generator.value(depth: 5)
        let json = Array(generator.text(value).utf8)
        #expect(try JSONValue(parsing: json) == value)
        #expect(agree(value, try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)))
    }

    @Test(arguments: 0..<200)
    func `a damaged document that is accepted agrees with Foundation`(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        // Without exponents: damage can make numbers that no `Double` holds, which Foundation refuses.
        let value = generator.value(depth: 4, kinds: JSONGenerator.Kind.allCases.filter { $0 != .number })
        let json = Array(generator.text(value).utf8)
        for _ in 0..<40 {
            var damaged = json
            let place = generator.number(below: json.count)
            let bytes = Array("\"\\{}[],:0-.u \n\u{1}é".utf8)
            switch generator.number(below: 3) {
            case 0: damaged[place] = bytes[generator.number(below: bytes.count)]
            case 1: damaged.insert(bytes[generator.number(below: bytes.count)], at: place)
            default: damaged.remove(at: place)
            }
            guard let value = try? JSONValue(parsing: damaged) else { continue }
            let other = try JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)
            #expect(agree(value, other), "\(String(decoding: damaged, as: UTF8.self))")
        }
    }

    @Test(arguments: 0..<100, [JSONEscaping.interchange, .logLine])
    func `what JSONWriter writes is read back unchanged`(seed: UInt64, escaping: JSONEscaping) throws {
        var generator = JSONGenerator(seed: seed)
        let value = generator.value(depth: 4, kinds: JSONGenerator.written)
        var json = JSONWriter(escaping: escaping)
        write(value, to: &json)
        #expect(try JSONValue(parsing: json.bytes) == value)
    }

    private func write(_ value: JSONValue, to json: inout JSONWriter) {
        switch value {
        case .bool(let bool): json.value(bool)
        case .integer(let integer): json.value(integer)
        case .string(let text): json.value(text)
        case .array(let elements): json.array { json in for element in elements { write(element, to: &json) } }
        case .object(let members):
            json.object { json in
                for (name, member) in members {
                    json.key(name.text)
                    write(member, to: &json)
                }
            }
        case .null, .number: Issue.record("JSONWriter does not write this")
        }
    }

    private func agree(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let bool): other as? Bool == bool
        case .integer(let integer): (other as? NSNumber)?.int64Value == integer
        case .number(let text): isClose((other as? NSNumber)?.doubleValue, Double(text))
        case .string(let text): (other as? String).map { Array($0.utf8) } == Array(text.utf8)
        case .array(let elements):
            (other as? [Any]).map { $0.count == elements.count && zip(elements, $0).allSatisfy(agree) } ?? false
        case .object(let members):
            (other as? [String: Any]).map { others in
                others.count == members.count
                    && members.allSatisfy { name, member in others[name.text].map { agree(member, $0) } ?? false }
            } ?? false
        }
    }

    /// Foundation reads a number through `Decimal`, which rounds once more.
    private func isClose(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return false }
        return abs(one - other) <= abs(other) * 1e-15
    }
}

/// Values and one of the many texts of each, the same for the same seed.
struct JSONGenerator {
    enum Kind: CaseIterable { case array, object, string, integer, bool, number, null }

    /// What JSONWriter writes.
    static let written: [Kind] = [.array, .object, .string, .integer, .bool]

    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func number(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func value(depth: Int, kinds: [Kind] = Kind.allCases) -> JSONValue {
        switch depth > 3 ? kinds[number(below: 2)] : kinds[number(below: kinds.count)] {
        case .array where depth > 0:
            .array((0..<number(below: 6)).map { _ in value(depth: depth - 1, kinds: kinds) })
        case .object where depth > 0:
            .object(object(depth: depth - 1, kinds: kinds))
        case .string, .array, .object: .string(string())
        case .integer: .integer(Int64(number(below: 1 << 31) - 1 << 30) << Int64(number(below: 33)))
        case .bool: .bool(number(below: 2) == 0)
        case .number: .number("\(number(below: 100) - 50).\(number(below: 1000))e\(number(below: 40) - 20)")
        case .null: .null
        }
    }

    private mutating func object(depth: Int, kinds: [Kind]) -> JSONObject {
        var object: JSONObject = [:]
        for index in 0..<number(below: 6) {
            _ = object.add(JSONName("\(string())\(index)"), value(depth: depth, kinds: kinds))
        }
        return object
    }

    private mutating func string() -> String {
        let scalars = Array("aZ0 \"\\/\n\t\u{0}\u{1F}\u{7F}é€\u{2028}\u{FEFF}😀\u{10FFFF}\u{301}'{[,:".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<number(below: 12) { text.append(scalars[number(below: scalars.count)]) }
        return String(text)
    }

    /// The value with arbitrary white space and escapes.
    mutating func text(_ value: JSONValue) -> String {
        space() + bare(value) + space()
    }

    private mutating func bare(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let bool): return "\(bool)"
        case .integer(let integer): return "\(integer)"
        case .number(let text): return text
        case .string(let text): return quoted(text)
        case .array(let elements): return "[" + elements.map { text($0) }.joined(separator: ",") + space() + "]"
        case .object(let members):
            let members = members.sorted { $0.name.text < $1.name.text }
            return "{"
                + members.map { space() + quoted($0.name.text) + space() + ":" + text($0.value) }.joined(separator: ",")
                + space() + "}"
        }
    }

    private mutating func space() -> String {
        ["", "", "", " ", "\n", "\t\r\n  "][number(below: 6)]
    }

    private mutating func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            // U+FEFF is escaped because Foundation drops it where a string begins with it.
            let mustEscape = scalar.value < 0x20 || ["\"", "\\", "\u{FEFF}"].contains(scalar)
            guard mustEscape || number(below: 4) == 0 else {
                json.unicodeScalars.append(scalar)
                continue
            }
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16, uppercase: number(below: 2) == 0)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return json + "\""
    }
}
