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
        try decode(Array(text)[...])
    }

    /// The same of a part of an array.
    public static func decode(_ text: ArraySlice<UInt8>) throws(Base64URLError) -> [UInt8] {
        var bytes = decodeGroups(text)
        var pending: UInt32 = 0
        var bits = 0
        for character in text.dropFirst(bytes.count / 3 * 4) {
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

    /// The bytes of whole groups of four characters, up to the first group with a foreign one.
    private static func decodeGroups(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let room = text.count * 3 / 4
        // An array of no capacity is one for all threads, and would be written to.
        guard room > 0 else { return [] }
        return text.withUnsafeBufferPointer { text in
            sixBits.withUnsafeBufferPointer { sixBits in
                [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
                    for group in 0..<text.count / 4 {
                        let first = sixBits[Int(text[4 * group])]
                        let second = sixBits[Int(text[4 * group + 1])]
                        let third = sixBits[Int(text[4 * group + 2])]
                        let fourth = sixBits[Int(text[4 * group + 3])]
                        guard (first | second | third | fourth) < 64 else { return }
                        bytes[count] = first << 2 | second >> 4
                        bytes[count + 1] = second << 4 | third >> 2
                        bytes[count + 2] = third << 6 | fourth
                        count += 3
                    }
                }
            }
        }
    }

    /// The six bits of each character; 64 and more for a foreign one.
    private static let sixBits: [UInt8] = (0...UInt8.max).map { (try? value($0)) ?? 64 }

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
