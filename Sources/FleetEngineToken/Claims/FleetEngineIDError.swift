/// Why text is not an id that Fleet Engine accepts.
package enum FleetEngineIDError: Error, Hashable, Sendable {
    /// The text is empty.
    case empty
    /// There are more Unicode scalars than Fleet Engine's 64.
    case tooLong(scalars: Int)
    /// The bytes are not well-formed UTF-8 (RFC 3629): overlong, truncated, out of range or half of a surrogate pair.
    case notUTF8
    /// The text is not in Unicode Normalization Form C.
    case notNFC
    /// One of the five characters Fleet Engine forbids: `/ : ? , #`.
    case forbiddenCharacter(Unicode.Scalar)
    /// A character of Unicode's category Cc: C0, DEL or C1.
    case controlCharacter(Unicode.Scalar)
    /// The first or the last character has Unicode's White_Space property.
    case surroundingWhiteSpace(Unicode.Scalar)
    /// `.` or `..`, which RFC 3986 section 5.2.4 removes from a path.
    case dotSegment
    /// `*`, which would give access to everything.
    case wildcard

    /// One sentence for the client that sent the id: what was wrong and what was expected, without raw characters of the id.
    package var sentence: String {
        switch self {
        case .empty:
            "the id is empty; expected 1 to 64 characters"
        case .tooLong(let scalars):
            "the id has \(scalars) characters; expected at most 64"
        case .notUTF8:
            "the id is not well-formed UTF-8 after percent-decoding; expected UTF-8 (RFC 3629)"
        case .notNFC:
            "the id is not in Unicode Normalization Form C; expected that form, since an id is never rewritten"
        case .forbiddenCharacter(let scalar):
            "the id contains \(scalar.codePoint); expected none of / : ? , #"
        case .controlCharacter(let scalar):
            "the id contains the control character \(scalar.codePoint); expected none"
        case .surroundingWhiteSpace(let scalar):
            "the id begins or ends with the white space \(scalar.codePoint); expected none around it"
        case .dotSegment:
            "the id is a dot segment; expected anything but \".\" and \"..\""
        case .wildcard:
            "the id is the wildcard \"*\"; expected one id"
        }
    }
}

extension Unicode.Scalar {
    /// The scalar as U+002F '/', with the character itself only if it is visible ASCII.
    fileprivate var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return (0x21...0x7E).contains(value) ? "U+\(padded) '\(self)'" : "U+\(padded)"
    }
}
