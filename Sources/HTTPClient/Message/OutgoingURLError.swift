/// Why a text is no URL that this service may call; nothing of the text is in it.
package enum OutgoingURLError: Error, Hashable, Sendable {
    /// There are more bytes than `OutgoingURL.maxBytes`.
    case tooLong(bytes: Int)
    /// White space, a control character, one beyond ASCII, or one that RFC 3986 leaves no place for.
    case forbiddenCharacter
    /// "%" without two hexadecimal digits.
    case badPercentEncoding
    /// "#", which names a part of the answer and is never sent.
    case fragment
    /// Neither `https://` nor `http://` in lower case.
    case otherScheme
    /// A user name or a password before the host, which belongs into a field and never into a URL.
    case credentials
    /// No host name, IPv4 or IPv6 address.
    case badHost
    /// No port from 1 to 65535.
    case badPort
    /// http without TLS to another machine.
    case plainBeyondLoopback

    /// The sentence's predicate, to stand after the name of a setting.
    package var problem: String {
        switch self {
        case .tooLong(let bytes): "has \(bytes) bytes, more than \(OutgoingURL.maxBytes)"
        case .forbiddenCharacter: "holds a character that no URL has unless it is percent-encoded"
        case .badPercentEncoding: "holds % without two hexadecimal digits behind it"
        case .fragment: "holds a fragment (#)"
        case .otherScheme: "begins neither with https:// nor with http://"
        case .credentials: "holds a user name or a password"
        case .badHost: "names no host"
        case .badPort: "has no port from 1 to 65535 behind its colon"
        case .plainBeyondLoopback: "is plain http to another machine"
        }
    }

    /// One sentence: what was wrong and what was expected.
    package var sentence: String { "the URL \(problem); expected \(OutgoingURL.expectation)" }
}
