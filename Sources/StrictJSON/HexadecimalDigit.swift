/// Hexadecimal digits in ASCII: read in either case, written in lower case.
package enum HexadecimalDigit {
    /// The digit's value, 0 to 15; nil if the byte is not a digit.
    package static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Bytes as digits, two for each byte, the high one first.
    package static func digits(of bytes: Span<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for index in bytes.indices {
            digits.append(digit(bytes[index] >> 4))
            digits.append(digit(bytes[index] & 0xF))
        }
        return digits
    }

    /// The same as text.
    package static func text(of bytes: Span<UInt8>) -> String { String(decoding: digits(of: bytes), as: UTF8.self) }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter, an ASCII digit or one of these other characters.
    package func isAlphanumeric(or others: String = "") -> Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: others.utf8.contains(self)
        }
    }
}
