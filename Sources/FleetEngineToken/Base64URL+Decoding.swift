/// Why text is not base64url.
public enum Base64URLError: Error, Hashable, Sendable {
    /// There is a `=`, which RFC 7515 section 2 leaves out.
    case padding
    /// There is a `+` or a `/`, which belong to the other alphabet (RFC 4648 section 4).
    case standardAlphabet
    /// There is a character of neither alphabet.
    case foreignCharacter
    /// So many characters are a whole number of bytes and six bits over.
    case cutOff
    /// The last character holds bits beyond the last byte that are not zero, so the bytes have another spelling.
    case strayBits
}

extension Base64URL {
    /// The bytes of the text, of whose spellings exactly one is accepted: that which `encode` writes.
    public static func decode(_ text: some Collection<UInt8>) throws(Base64URLError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var pending: UInt32 = 0
        var bits = 0
        for character in text {
            pending = pending << 6 | UInt32(try value(character))
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
        }
        guard bits < 6 else { throw .cutOff }
        guard pending & (1 << UInt32(bits) - 1) == 0 else { throw .strayBits }
        return bytes
    }

    /// The six bits a character stands for.
    private static func value(_ character: UInt8) throws(Base64URLError) -> UInt8 {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): return 62
        case UInt8(ascii: "_"): return 63
        case UInt8(ascii: "="): throw .padding
        case UInt8(ascii: "+"), UInt8(ascii: "/"): throw .standardAlphabet
        default: throw .foreignCharacter
        }
    }
}
