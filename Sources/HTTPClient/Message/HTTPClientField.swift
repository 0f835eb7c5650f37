/// A field of a request or of an answer (RFC 9110 section 5); valid once it exists.
package struct HTTPClientField: Hashable, Sendable {
    /// The name in lower case.
    package let name: String
    /// The value without white space around it.
    package let value: String

    /// A field out of a name and a value; white space around the value is not part of it.
    package init(_ name: String, _ value: String) throws(HTTPClientFieldError) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter) else { throw .badName }
        self.name = name.lowercased()
        // A line end in a value would begin a field of its own, or a request.
        guard value.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else { throw .badValue(name: self.name) }
        var trimmed = value[...]
        while let first = trimmed.utf8.first, first == 9 || first == 32 { trimmed.removeFirst() }
        while let last = trimmed.utf8.last, last == 9 || last == 32 { trimmed.removeLast() }
        self.value = String(trimmed)
    }

    /// tchar (RFC 9110 section 5.6.2).
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// Why something is no field that can be sent; no value is in it.
package enum HTTPClientFieldError: Error, Hashable, Sendable {
    /// The name is empty or holds what no token has (RFC 9110 section 5.6.2).
    case badName
    /// The value holds a control character (RFC 9110 section 5.5).
    case badValue(name: String)
    /// The field says how the message is framed or routed, which is the client's own to say.
    case reserved(name: String)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .badName: "the name of a field is not a token of RFC 9110; expected letters, digits and hyphens"
        case .badValue(let name): "the value of the field \(name) holds a control character; expected none"
        case .reserved(let name): "the field \(name) is the client's own to send; expected another"
        }
    }
}
