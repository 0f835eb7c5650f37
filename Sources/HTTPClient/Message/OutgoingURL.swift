/// A URL that this service may call (RFC 3986): https, or plain http to this machine; valid once it exists.
///
/// The grammar is narrower than the RFC's, so that every other parser finds the same host in the URL.
package struct OutgoingURL: Hashable, Sendable {
    /// The longest URL in bytes.
    package static let maxBytes = 2048
    /// The form of a URL, for messages after "expected".
    package static let expectation = "https://HOST[:PORT][/PATH], or http:// to localhost, 127.0.0.0/8 or [::1]"

    /// Whether the connection is TLS.
    package let isSecure: Bool
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    /// The port; 443 or 80 if the URL has none.
    package let port: UInt16
    /// The original URL. Do not log it: its query may be a secret.
    package let text: String

    /// Throws the first rule that the text breaks.
    package init(_ text: String) throws(OutgoingURLError) {
        try self.init(plain: text, toHosts: [])
    }

    /// A URL that may also be plain http to one of these hosts, in lower case, such as a cloud's metadata server; nil allows any
    /// host. Throws the first rule that the text breaks.
    package init(plain text: String, toHosts hosts: [String]?) throws(OutgoingURLError) {
        try Self.checkCharacters(Array(text.utf8))
        guard let isSecure = Self.schemes.first(where: { text.hasPrefix($0.prefix) })?.isSecure else {
            throw .otherScheme
        }
        let authority = text.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .credentials }
        let (name, port) = try Self.split(authority)
        guard let host = OutgoingHost(name) else { throw .badHost }
        guard isSecure || host.isLoopback || hosts?.contains(host.text) ?? true else { throw .plainBeyondLoopback }
        self.isSecure = isSecure
        self.host = host.text
        self.port = port ?? (isSecure ? 443 : 80)
        self.text = text
    }

    /// The host and the port, as a log may name them.
    package var endpoint: String { "\(host):\(port)" }

    /// The path and the query, `/` if there is neither (RFC 9113 section 8.3.1).
    package var target: String {
        let target = text.utf8.dropFirst(isSecure ? 8 : 7).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return (target.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(target))
    }

    /// Whether both have the same scheme, host and port (RFC 6454 section 4).
    package func hasSameOrigin(as other: OutgoingURL) -> Bool {
        isSecure == other.isSecure && host == other.host && port == other.port
    }

    private static let schemes = [(prefix: "https://", isSecure: true), (prefix: "http://", isSecure: false)]

    /// Allows visible ASCII without special meaning and complete percent-encodings; a fragment is never sent.
    private static func checkCharacters(_ bytes: [UInt8]) throws(OutgoingURLError) {
        guard bytes.count <= maxBytes else { throw .tooLong(bytes: bytes.count) }
        for (index, byte) in bytes.enumerated() {
            guard (0x21...0x7E).contains(byte), !"\"<>\\^`{|}".utf8.contains(byte) else { throw .forbiddenCharacter }
            guard byte != UInt8(ascii: "#") else { throw .fragment }
            guard byte == UInt8(ascii: "%") else { continue }
            let digits = bytes[(index + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(isHexadecimal) else { throw .badPercentEncoding }
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// The host and the port, nil if there is none; colons within brackets belong to an IPv6 address.
    static func split(_ authority: Substring) throws(OutgoingURLError) -> (host: Substring, port: UInt16?) {
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[bracket...].firstIndex(of: ":") else { return (authority, nil) }
        let digits = authority[colon...].dropFirst()
        // UInt16 would accept "+443".
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits), port > 0 else {
            throw .badPort
        }
        return (authority[..<colon], port)
    }
}
