import FleetEngineToken
import StrictJSON

/// A claim that is not what a rule requires. It is put into words only when a refusal is shown, without the claim's content.
struct ClaimMismatch: Sendable {
    private let path: ClaimPath
    private let value: JSONValue?

    init(path: ClaimPath, value: JSONValue?) { (self.path, self.value) = (path, value) }

    /// That the claim is not this literal.
    func sentence(literal: JSONValue) -> String {
        let expected = JSONText.compact(literal)
        guard value?.typeName == literal.typeName else { return sentence(expected: expected) }
        return "the claim \(path.text) is not \(expected)"
    }

    /// That the claim does not contain this text.
    func sentence(element: String) -> String {
        let expected = JSONText.compact(.string(element))
        return switch value {
        case .array: "the claim \(path.text) does not contain \(expected)"
        case .string: "the claim \(path.text) does not contain the word \(expected)"
        default: sentence(expected: "an array or a string that contains \(expected)")
        }
    }

    /// That the claim does not contain these ids: as `text` names them, or only their kind if it is nil.
    func sentence(
        _ name: IDName, _ ids: [FleetEngineID], naming text: ((FleetEngineID) -> String)?,
        showing claims: JSONObject? = nil
    ) -> String {
        if let claims, value == nil || ids.count == 1 {
            let isNumber = ids.first.flatMap { Int64($0.text) }.map { value == .integer($0) } ?? false
            return comparison(ids.map(\.text), in: claims) + (isNumber ? "; an integer never equals an id" : "")
        }
        let claim = "the claim \(path.text)"
        switch value {
        case .array(let elements):
            let texts = JSONValue.texts(elements)
            let missing = ids.filter { !texts.contains(JSONName($0.text)) }
            let integer = missing.first.flatMap { Int64($0.text) }.map { elements.contains(.integer($0)) } ?? false
            return "\(claim) does not contain \(Self.list(name, missing, text))"
                + (integer ? " as a string; an integer never equals an id" : "")
        case .string where ids.count == 1: return "\(claim) is not \(Self.list(name, ids, text))"
        default:
            let list = Self.list(name, ids, text)
            let hint = value?.typeName == JSONValue.integer(0).typeName ? "; an integer never equals an id" : ""
            guard name != .taskIDs else { return sentence(expected: "an array that contains \(list)") }
            return sentence(expected: "\(list) as a string or in an array\(hint)")
        }
    }

    /// The value beside the texts of which one was expected; where it is missing, the nearest claim of the token.
    func comparison(_ expected: [String], in claims: JSONObject) -> String {
        guard let value else { return comparison(expecting: ReceivedValue.list(expected), in: claims) }
        return ReceivedValue.comparison("the claim \(path.text)", value, expected: expected)
    }

    /// The same with words for what was expected.
    func comparison(expecting expected: String, in claims: JSONObject) -> String {
        if let value { return "the claim \(path.text) is \(ReceivedValue.text(value)), expected \(expected)" }
        let nearest = path.nearest(in: claims).map { "; the token has \($0.spelling)" } ?? ""
        return "the claim \(path.text) is missing\(nearest); expected \(expected)"
    }

    private func sentence(expected: String) -> String {
        "the claim \(path.text) is \(value?.typeName ?? "missing"); expected \(expected)"
    }

    /// Such as `t-1`, `the tripID t-1` or `t-1 and 2 others`; without ids `the tripID`.
    static func list(
        _ name: IDName, _ ids: [FleetEngineID], isNamed: Bool = false, _ text: ((FleetEngineID) -> String)?
    ) -> String {
        guard let text, let first = ids.first else {
            return name == .taskIDs ? "every one of the taskIDs" : "the \(name.rawValue)"
        }
        let rest = ids.count - 1
        return (isNamed ? "the \(name.rawValue) " : "") + text(first)
            + (rest == 0 ? "" : " and \(rest) other\(rest == 1 ? "" : "s")")
    }
}

extension JSONValue {
    fileprivate var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number: "a number that is not an integer"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
