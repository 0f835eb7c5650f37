/// base64url without padding: RFC 7515 section 2, over the alphabet of RFC 4648 section 5.
package enum Base64URL {
    /// The encoding of the bytes, ASCII.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return text
    }

    /// Appends the encoding of the bytes.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.append(addingCapacity: length(of: bytes.count)) { output in
            encode(bytes.span, into: &output)
        }
    }

    /// Characters that encode so many bytes.
    package static func length(of count: Int) -> Int {
        (count * 4 + 2) / 3
    }

    private static func encode(_ bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        let whole = bytes.count - bytes.count % 3
        for index in stride(from: 0, to: whole, by: 3) {
            let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            append(group, characters: 4, to: &output)
        }
        guard whole < bytes.count else { return }
        let second = whole + 1 < bytes.count ? UInt32(bytes[whole + 1]) << 8 : 0
        append(UInt32(bytes[whole]) << 16 | second, characters: bytes.count - whole + 1, to: &output)
    }

    /// The first characters of a group of 24 bits, six bits each, highest first.
    private static func append(_ group: UInt32, characters: Int, to output: inout OutputSpan<UInt8>) {
        var rest = group << 8
        for _ in 0..<characters {
            output.append(alphabet[Int(rest >> 26)])
            rest <<= 6
        }
    }

    private static let alphabet: [UInt8] = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

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
