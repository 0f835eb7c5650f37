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

    /// The bytes; a percent sign without two digits stays as it is.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = HexadecimalDigit.value(of: rest[rest.startIndex]),
                let low = HexadecimalDigit.value(of: rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "-._~")
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
