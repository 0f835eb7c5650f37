/// Why bytes are not UTF-8 text with content, whatever its format.
package enum TextFault: Hashable, Sendable {
    /// There is nothing but white space.
    case empty
    /// The text begins with the bytes EF BB BF, as some editors write it.
    case byteOrderMark
    /// The text is UTF-16, as some shells write it.
    case utf16

    /// The fault of the bytes; nil if they have none of these.
    package init?(in bytes: [UInt8]) {
        let (first, second) = (bytes.first ?? 0, bytes.dropFirst().first ?? 0)
        if bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            self = .empty
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .byteOrderMark
        } else if (first, second) == (0xFF, 0xFE) || (first, second) == (0xFE, 0xFF)
            || bytes.count > 1 && min(first, second) == 0 && (1..<0x80).contains(max(first, second))
        {
            // JSON and PEM begin with ASCII, whose characters have one zero byte in UTF-16.
            self = .utf16
        } else {
            return nil
        }
    }

    /// The predicate of a sentence about a file or one of its fields; `content` is what it should hold.
    package func problem(expecting content: String) -> String {
        switch self {
        case .empty: "is empty; expected \(content)"
        case .byteOrderMark: "begins with a UTF-8 byte order mark; expected UTF-8 without it"
        case .utf16: "is UTF-16 text; expected UTF-8"
        }
    }
}
