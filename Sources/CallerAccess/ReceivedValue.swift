import FleetEngineToken
import StrictJSON

/// Values that a client or a provider sent, in words for a log: on one line, control and format characters escaped as in
/// JSON, at most 128 characters long, and cut where an API key or a token begins that was pasted into them.
package enum ReceivedValue {
    static let maxCharacters = 128
    /// More alternatives are only counted.
    private static let maxAlternatives = 3

    /// What was received and what was expected, such as `iss is "a/", expected "a" (remove the last slash)`; a missing
    /// value is nil.
    package static func comparison(_ name: String, _ value: JSONValue?, expected: [String]) -> String {
        let received = "\(name) is \(value.map(text) ?? "missing")"
        for text in value?.texts ?? [] {
            for alternative in expected {
                if let spaces = spaces(text, around: alternative) {
                    return "\(received) (\(spaces)), expected \(Self.text(.string(alternative)))"
                }
                guard let remedy = remedy(text, alternative) else { continue }
                return "\(received), expected \(Self.text(.string(alternative))) (\(remedy))"
            }
        }
        return "\(received), expected \(list(expected))"
    }

    /// The value as JSON; what is cut ends with an ellipsis.
    static func text(_ value: JSONValue) -> String {
        guard case .string(let text) = value else { return cut(JSONText.compact(value)) }
        return "\"\(cut(JSONText.bare(JSONName(String(text.unicodeScalars.prefix(maxCharacters + 1))))))\""
    }

    /// An id as it is, or between quotation marks if it has other characters than most ids.
    package static func text(_ id: FleetEngineID) -> String {
        let isPlain = FleetEngineID(plain: Array(id.text.utf8).span, 0..<id.text.utf8.count) != nil
        return isPlain ? cut(id.text) : text(.string(id.text))
    }

    /// A sentence of ours with words of a client in it, without the API keys and tokens that were pasted into them.
    package static func sentence(_ text: String) -> String {
        var (shown, rest) = ("", Array(text.utf8))
        while let end = endOfPrefix(in: rest) {
            shown += "\(String(decoding: rest[..<end], as: UTF8.self))…"
            rest = Array(rest[end...].drop { APIKey.isOfBase64URL($0) || $0 == UInt8(ascii: ".") })
        }
        return shown + String(decoding: rest, as: UTF8.self)
    }

    /// So many seconds in words, such as `3 days`.
    static func span(_ seconds: Int64) -> String {
        let units: [(seconds: Int64, name: String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
        let unit = units.first { seconds >= $0.seconds } ?? (1, "second")
        let count = seconds / unit.seconds
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }

    /// The alternatives, such as `"a", "b" or 3 more`; `none` without any.
    static func list(_ alternatives: [String]) -> String {
        let shown = alternatives.prefix(maxAlternatives).map { text(.string($0)) }
        let rest = alternatives.count - shown.count
        guard let last = shown.last else { return "none" }
        if rest > 0 { return "\(shown.joined(separator: ", ")) or \(rest) more" }
        return (shown.count == 1 ? "" : "\(shown.dropLast().joined(separator: ", ")) or ") + last
    }

    /// Where a text has spaces besides what was expected; nil if it has none, or differs otherwise.
    private static func spaces(_ text: String, around expected: String) -> String? {
        guard text.utf8.count > expected.utf8.count else { return nil }
        let isSpace = { @Sendable (byte: UInt8) in byte <= 0x20 }
        let (before, after) = (
            text.utf8.prefix(while: isSpace).count, text.utf8.reversed().prefix(while: isSpace).count
        )
        guard text.utf8.dropFirst(before).dropLast(after).elementsEqual(expected.utf8) else { return nil }
        let count = before + after == 1 ? "a space" : "spaces"
        return "\(count) at the \(before == 0 ? "end" : after == 0 ? "beginning" : "beginning and the end")"
    }

    /// How to make one text the other, where they differ by little.
    private static func remedy(_ text: String, _ expected: String) -> String? {
        if text.utf8.elementsEqual("\(expected)/".utf8) { return "remove the last slash" }
        if "\(text)/".utf8.elementsEqual(expected.utf8) { return "add a last slash" }
        guard text.utf8.count == expected.utf8.count, !text.hasSameBytes(as: expected) else { return nil }
        return text.utf8.map(lowerCase) == expected.utf8.map(lowerCase) ? "case differs" : nil
    }

    private static func lowerCase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let bytes = Array(text.utf8)
        let end = scalars.index(scalars.startIndex, offsetBy: maxCharacters, limitedBy: scalars.endIndex)
        let ends = [end.map { text.utf8.distance(from: text.startIndex, to: $0) }, endOfPrefix(in: bytes)]
        guard let end = ends.compactMap({ $0 }).min(), end < bytes.count else { return text }
        return "\(String(decoding: bytes[..<end], as: UTF8.self))…"
    }

    /// Where the first API key or token in a text is cut; nil without one.
    private static func endOfPrefix(in bytes: [UInt8]) -> Int? {
        let token = bytes.indices.first { bytes[$0...].starts(with: "eyJ".utf8) }
        // Without the underscore, so that nothing takes it for the beginning of a key.
        return [APIKey.beginning(in: bytes).map { $0 - 1 }, token.map { $0 + 3 }].compactMap { $0 }.min()
    }
}

extension JSONValue {
    /// The texts that it is, or is an array of.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements):
            elements.compactMap { element in
                guard case .string(let text) = element else { return nil }
                return text
            }
        default: []
        }
    }
}
