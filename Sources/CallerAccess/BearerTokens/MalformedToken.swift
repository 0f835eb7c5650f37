import StrictJSON

/// A bearer token that is not a well-formed JWT, read as leniently as any back end might read it: base64 of either
/// alphabet, with padding, stray characters and stray bits, and JSON of any encoding whose ASCII is recognizable.
struct MalformedToken {
    /// What is written in the token and, decoded, in each of its parts; ASCII with escapes undone.
    private let texts: [[UInt8]]

    init(_ token: [UInt8]) {
        let parts = token.split(separator: UInt8(ascii: "."))
        texts = [Self.unescaped(token)] + parts.map { Self.unescaped(Self.decoded($0)) }
    }

    /// Whether it must be refused here, because it names a configured issuer, or because it has the header of a signed or
    /// encrypted token (`alg`: RFC 7515 section 4.1.1, RFC 7516 section 4.1.1), which it is not. The rest is opaque.
    func claims(issuers: [TrustedIssuer]) -> Bool {
        contains(#""alg""#) || issuers.contains { $0.policy.names.contains(where: contains) }
    }

    private func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return texts.contains { $0.contains(wanted) }
    }

    private static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8] {
        var letters = part.compactMap { (byte) -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): byte
            default: nil
            }
        }
        // Whole groups have no stray bits; at worst three bytes follow.
        while !letters.count.isMultiple(of: 4) { letters.append(UInt8(ascii: "A")) }
        return (try? Base64URL.decode(letters)) ?? []
    }

    /// Without the zeros of UTF-16 and UTF-32, and with escapes of ASCII undone (RFC 8259 section 7).
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = bytes.filter { $0 != 0 }
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let escape = bytes[index...].prefix(6)
            if let character = character(of: escape) {
                text.append(character)
                index += escape.count
            } else {
                if bytes[index] != UInt8(ascii: "\\") { text.append(bytes[index]) }
                index += 1
            }
        }
        return text
    }

    /// The ASCII character of an escape of six bytes, such as `\u0069`; nil for other bytes.
    private static func character(of escape: ArraySlice<UInt8>) -> UInt8? {
        guard escape.count == 6, escape.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return nil }
        var value = 0
        for digit in escape.dropFirst(2) {
            guard let digit = HexadecimalDigit.value(of: digit) else { return nil }
            value = value << 4 | Int(digit)
        }
        return value < 0x80 ? UInt8(value) : nil
    }
}

extension [UInt8] {
    /// Whether these bytes are among them, in this order and without others between them.
    fileprivate func contains(_ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first, count >= wanted.count else { return false }
        return (0...count - wanted.count).contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
