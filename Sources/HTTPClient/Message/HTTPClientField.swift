import StrictJSON

/// A field of a request or of an answer (RFC 9110 section 5); valid once it exists.
package struct HTTPClientField: Hashable, Sendable {
    /// The name in lower case.
    package let name: String
    /// The value without white space around it.
    package let value: String

    /// A field of this program's own.
    package init(constant name: StaticString, _ value: StaticString) {
        (self.name, self.value) = ("\(name)", "\(value)")
    }

    /// A field of a request, with white space around the value removed.
    package init(_ name: String, _ value: String) throws(HTTPClientFieldError) {
        try self.init(received: name, value)
        guard !Self.reservedNames.contains(self.name) else { throw .reserved(name: self.name) }
    }

    /// Names that control framing and routing (RFC 9110 section 7.6.1, RFC 9112 section 6) or the encoding of the body.
    private static let reservedNames: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// The same with any name, as answers have.
    package init(received name: String, _ value: String) throws(HTTPClientFieldError) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter) else { throw .badName }
        self.name = name.lowercased()
        // A line end in a value would start another field or request.
        guard value.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else { throw .badValue(name: self.name) }
        var trimmed = value[...]
        while let first = trimmed.utf8.first, first == 9 || first == 32 { trimmed.removeFirst() }
        while let last = trimmed.utf8.last, last == 9 || last == 32 { trimmed.removeLast() }
        self.value = String(trimmed)
    }

    /// tchar (RFC 9110 section 5.6.2).
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "!#$%&'*+-.^_`|~")
    }
}

/// Why a field cannot be sent; it never holds the value.
package enum HTTPClientFieldError: Error, Hashable, Sendable {
    /// The name is empty or not a token (RFC 9110 section 5.6.2).
    case badName
    /// The value holds a control character (RFC 9110 section 5.5).
    case badValue(name: String)
    /// The field controls framing or routing, and only the client sets it.
    case reserved(name: String)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .badName: "the header name is not a token (RFC 9110); expected letters, digits and hyphens"
        case .badValue(let name): "the value of the header \(name) holds a control character; expected none"
        case .reserved(let name): "the header \(name) is set automatically; expected another header"
        }
    }
}
