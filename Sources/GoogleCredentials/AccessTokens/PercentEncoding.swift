import StrictJSON

/// Percent-encoding (RFC 3986 section 2.1) of UTF-8, in upper case.
enum PercentEncoding {
    /// The text with every byte encoded but the unreserved characters of RFC 3986 section 2.3 and those in `kept`, ASCII.
    static func encode(_ text: some Sequence<UInt8>, keeping kept: String = "") -> String {
        var encoded: [UInt8] = []
        for byte in text {
            if isUnreserved(byte) || kept.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The bytes; a percent sign without two digits stays as it is.
    static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = HexadecimalDigit.value(of: rest[rest.startIndex]),
                let low = HexadecimalDigit.value(of: rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "-._~")
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}

/// Members of a form (`application/x-www-form-urlencoded` of the URL standard).
enum FormBody {
    /// The members in this order; a space becomes a plus sign.
    static func encode(_ members: [(name: String, value: String)]) -> String {
        members.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        // A plus sign of the text itself is encoded, so that only spaces become one.
        let encoded = PercentEncoding.encode(text.utf8, keeping: " ").utf8
        return String(decoding: encoded.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }
}

/// Base64 with padding (RFC 4648 section 4), as HTTP Basic authentication uses it (RFC 7617).
enum Base64 {
    /// The encoding of the text's UTF-8.
    static func encode(_ text: String) -> String {
        let standard = Base64URL.encode(Array(text.utf8)).map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return String(decoding: standard, as: UTF8.self) + padding
    }
    /// The bytes of a text in the standard alphabet or that of URLs, with or without padding; nil for another text.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        let bare = text.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        guard text.count - bare.count <= 2 else { return nil }
        return try? Base64URL.decode(
            bare.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            })
    }
}
