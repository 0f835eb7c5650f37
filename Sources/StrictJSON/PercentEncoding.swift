/// Percent-encoding (RFC 3986 section 2.1) of UTF-8, in upper case.
package enum PercentEncoding {
    /// The text with every byte encoded but the unreserved characters of RFC 3986 section 2.3 and those in `kept`, ASCII.
    package static func encode(_ text: some Sequence<UInt8>, keeping kept: String = "") -> String {
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

    /// The decoded bytes; nil if an encoding is malformed. `%` takes two hexadecimal digits, and `+` is a plus sign.
    package static func decode(_ text: [UInt8]) -> [UInt8]? { decode(text.span, 0..<text.count) }

    /// The same of a range.
    package static func decode(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        // All empty arrays share one buffer, and the initializer below would write to it.
        guard !range.isEmpty else { return [] }
        var isWellFormed = true
        let decoded = [UInt8](unsafeUninitializedCapacity: range.count) { decoded, count in
            var index = range.lowerBound
            while index < range.upperBound {
                guard let byte = decodedByte(text, &index, end: range.upperBound) else {
                    isWellFormed = false
                    return
                }
                decoded[count] = byte
                count += 1
            }
        }
        return isWellFormed ? decoded : nil
    }

    /// The decoded byte at a position, which moves to the next one; nil if its encoding is malformed.
    private static func decodedByte(_ text: Span<UInt8>, _ index: inout Int, end: Int) -> UInt8? {
        let byte = text[index]
        index += 1
        guard byte == UInt8(ascii: "%") else { return byte }
        guard index + 2 <= end, let high = HexadecimalDigit.value(of: text[index]),
            let low = HexadecimalDigit.value(of: text[index + 1])
        else { return nil }
        index += 2
        return high << 4 | low
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "-._~")
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
