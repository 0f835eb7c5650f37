/// Why text is not base64url.
package enum Base64URLError: Error, Hashable, Sendable {
    /// There is a `=`; RFC 7515 section 2 omits padding.
    case padding
    /// There is a `+` or a `/`, which belong to the standard alphabet (RFC 4648 section 4).
    case standardAlphabet
    /// There is a character that belongs to neither alphabet.
    case foreignCharacter
    /// The number of characters leaves six bits over.
    case cutOff
    /// The bits of the last character beyond the last byte are not zero, so the bytes have another encoding.
    case strayBits
}

extension Base64URL {
    /// Decodes the text. Of all encodings of some bytes only the one that `encode` writes is accepted.
    package static func decode(_ text: some Collection<UInt8>) throws(Base64URLError) -> [UInt8] {
        try decode(Array(text)[...])
    }

    /// The same for a part of an array.
    package static func decode(_ text: ArraySlice<UInt8>) throws(Base64URLError) -> [UInt8] {
        // Each group is written as four bytes, and the next group overwrites the last of them. Not an array with this
        // capacity: it would look up its type first, which takes as long as decoding a header.
        try withUnsafeTemporaryAllocation(byteCount: text.count / 4 * 3 + 4, alignment: 1) { bytes in
            Result { () throws(Base64URLError) in
                let count = decodeGroups(text, into: bytes)
                return Array(bytes[..<(try decodeRest(of: text, into: bytes, from: count))])
            }
        }.get()
    }

    /// Decodes whole groups of four characters, up to the first group with a character of another alphabet. Returns how many
    /// bytes were written.
    private static func decodeGroups(_ text: ArraySlice<UInt8>, into target: UnsafeMutableRawBufferPointer) -> Int {
        text.withUnsafeBufferPointer { text in
            groupBits.withUnsafeBufferPointer { bits in
                var (start, count) = (0, 0)
                while start <= text.count &- 4 {
                    let group =
                        bits[Int(text[start])] | bits[256 &+ Int(text[start &+ 1])]
                        | bits[512 &+ Int(text[start &+ 2])] | bits[768 &+ Int(text[start &+ 3])]
                    guard group < 1 << 24 else { break }
                    target.storeBytes(of: (group << 8).bigEndian, toByteOffset: count, as: UInt32.self)
                    (start, count) = (start &+ 4, count &+ 3)
                }
                return count
            }
        }
    }

    /// Decodes the characters after the groups, which were decoded to this number of bytes. Returns the new number of bytes.
    private static func decodeRest(
        of text: ArraySlice<UInt8>, into target: UnsafeMutableRawBufferPointer, from decoded: Int
    ) throws(Base64URLError) -> Int {
        var count = decoded
        var pending: UInt32 = 0
        var bits = 0
        for character in text.dropFirst(decoded / 3 * 4) {
            pending = pending << 6 | UInt32(try value(character))
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            target[count] = UInt8(truncatingIfNeeded: pending >> UInt32(bits))
            count += 1
        }
        guard bits < 6 else { throw .cutOff }
        guard pending & (1 << UInt32(bits) - 1) == 0 else { throw .strayBits }
        return count
    }

    /// For each of a group's four places, the bits that a character there adds to the group's 24 bits. For characters of
    /// another alphabet, a higher bit.
    private static let groupBits: [UInt32] = (0..<4).flatMap { (place: Int) -> [UInt32] in
        (0...UInt8.max).map { character in
            guard let bits = try? value(character) else { return 1 << 24 }
            return UInt32(bits) << UInt32(18 - 6 * place)
        }
    }

    /// The six bits of a character.
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
