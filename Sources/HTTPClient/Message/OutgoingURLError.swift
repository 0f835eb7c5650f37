/// Why this service must not call a URL; it holds nothing of the URL.
package enum OutgoingURLError: Error, Hashable, Sendable {
    /// It has more bytes than `OutgoingURL.maxBytes`.
    case tooLong(bytes: Int)
    /// White space, a control character, one beyond ASCII, or one that RFC 3986 does not allow.
    case forbiddenCharacter
    /// "%" without two hexadecimal digits.
    case badPercentEncoding
    /// "#", which selects a part of the answer and is never sent.
    case fragment
    /// Neither `https://` nor `http://` in lower case.
    case otherScheme
    /// A user name or a password before the host; credentials belong in a header, never in a URL.
    case credentials
    /// No host name, IPv4 or IPv6 address.
    case badHost
    /// No port from 1 to 65535.
    case badPort
    /// Plain http to another machine.
    case plainBeyondLoopback

    /// The predicate of a sentence, to follow the name of a setting.
    package var problem: String {
        switch self {
        case .tooLong(let bytes): "has \(bytes) bytes, more than \(OutgoingURL.maxBytes)"
        case .forbiddenCharacter: "holds a character that no URL has unless it is percent-encoded"
        case .badPercentEncoding: "holds % without two hexadecimal digits after it"
        case .fragment: "holds a fragment (#)"
        case .otherScheme: "begins neither with https:// nor with http://"
        case .credentials: "holds a user name or a password"
        case .badHost: "names no host"
        case .badPort: "has no port from 1 to 65535 after its colon"
        case .plainBeyondLoopback: "is plain http to another machine"
        }
    }

    /// One sentence: what was wrong and what was expected.
    package var sentence: String { "the URL \(problem); expected \(OutgoingURL.expectation)" }
}
