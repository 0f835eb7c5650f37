import FleetEngineToken
import StrictJSON

/// Strict percent-decoding (RFC 3986 section 2.1): `%` takes two hexadecimal digits, and `+` is a plus sign.
enum PercentDecoding {
    /// The decoded bytes of a range; nil if an encoding in it is malformed.
    static func bytes(of text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
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
}
