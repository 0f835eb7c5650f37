import StrictJSON

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
