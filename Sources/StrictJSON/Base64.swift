/// Base64 with padding (RFC 4648 section 4), as HTTP Basic authentication uses it (RFC 7617).
package enum Base64 {
    /// The encoding of the text's UTF-8.
    package static func encode(_ text: String) -> String {
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
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
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
