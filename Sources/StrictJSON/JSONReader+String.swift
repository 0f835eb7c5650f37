/// Strings (RFC 8259 section 7).
extension JSONReader {
    /// The string whose quotation mark is the next byte.
    package mutating func string() throws(JSONError) -> String {
        if let text = plainString() { return text }
        let start = offset
        offset += 1
        var utf8: [UInt8] = []
        // At once, since a secret would leave its beginning behind wherever it grew.
        utf8.reserveCapacity((bytes[offset...].firstIndex(of: UInt8(ascii: "\"")) ?? offset) - offset)
        while true {
            utf8 += plainBytes()
            switch try next() {
            case UInt8(ascii: "\""):
                // An escape adds whole scalars only, so it cannot complete ill-formed bytes around it to valid UTF-8.
                if let text = String(validating: utf8, as: UTF8.self) { return text }
                try refuse(.illFormedUTF8, at: start)
                return ""
            case UInt8(ascii: "\\"): try appendEscape(to: &utf8)
            default: throw error(.controlCharacter, at: offset - 1)
            }
        }
    }

    /// The same for a string that is all ASCII without escapes, as nearly all are. For others nil, and nothing is read.
    private mutating func plainString() -> String? {
        let start = offset + 1
        let end = endOfPlainASCII(from: start)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        offset = end + 1
        return bytes.withUnsafeBufferPointer { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
    }

    /// The name whose quotation mark is the next byte, if it is so short that it needs no string, as nearly all are. For
    /// others nil, and nothing is read.
    mutating func briefName() -> JSONName? {
        let start = offset + 1
        guard start + 8 <= bytes.count else { return nil }
        let eight = UInt64(
            littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) })
        let count = eight.placesOfOthersThanPlainASCII.trailingZeroBitCount / 8
        guard count <= JSONName.briefest, bytes[start + count] == UInt8(ascii: "\"") else { return nil }
        offset = start + count + 1
        return JSONName(first: count, of: eight)
    }

    /// The offset, from `start` on, of the first byte that is not plain ASCII; the text's end if there is none.
    private func endOfPlainASCII(from start: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            var end = start
            while end &+ 8 <= bytes.count {
                let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
                let others = eight.placesOfOthersThanPlainASCII
                end &+= others.trailingZeroBitCount / 8
                if others != 0 { return end }
            }
            while end < bytes.count, bytes[end].isPlainASCII { end &+= 1 }
            return end
        }
    }

    private mutating func plainBytes() -> ArraySlice<UInt8> {
        let start = offset
        skip { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return bytes[start..<offset]
    }

    /// Reads the rest of an escape, after its reverse solidus, and appends its character.
    private mutating func appendEscape(to utf8: inout [UInt8]) throws(JSONError) {
        let start = offset - 1
        let byte = try next()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(byte)
        case UInt8(ascii: "b"): utf8.append(0x08)
        case UInt8(ascii: "f"): utf8.append(0x0C)
        case UInt8(ascii: "n"): utf8.append(0x0A)
        case UInt8(ascii: "r"): utf8.append(0x0D)
        case UInt8(ascii: "t"): utf8.append(0x09)
        case UInt8(ascii: "u"): utf8 += try scalar(from: start).utf8
        default: throw error(.malformedEscape, at: start)
        }
    }

    /// The scalar of an escape that began at `start` and whose `\u` has been read. Reads a second escape if it needs one.
    private mutating func scalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let lead = try codeUnit()
        if let scalar = Unicode.Scalar(lead) { return scalar }
        let end = offset
        if UTF16.isLeadSurrogate(lead), try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") {
            let trail = try codeUnit()
            let bits = (UInt32(lead) & 0x3FF) << 10 | (UInt32(trail) & 0x3FF)
            if UTF16.isTrailSurrogate(trail), let scalar = Unicode.Scalar(0x10000 + bits) { return scalar }
        }
        try refuse(.loneSurrogate, at: start)
        offset = end
        return "\u{FFFD}"
    }

    /// The UTF-16 code unit of four hexadecimal digits.
    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = HexadecimalDigit.value(of: try next()) else {
                throw error(.malformedEscape, at: offset - 1)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

extension UInt8 {
    /// Whether it is ASCII and needs no escape in a string.
    @inline(__always)
    fileprivate var isPlainASCII: Bool {
        self &- 0x20 < 0x60 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

extension UInt64 {
    /// The highest bit of the lowest of the eight bytes that is not plain ASCII, if there is one. Higher bits are
    /// undefined.
    @inline(__always)
    fileprivate var placesOfOthersThanPlainASCII: UInt64 {
        // No byte below the lowest control character borrows from the next.
        let controls = self &- 0x2020_2020_2020_2020
        let escaped = places(of: UInt8(ascii: "\"")) | places(of: UInt8(ascii: "\\"))
        return escaped | (self | controls) & 0x8080_8080_8080_8080
    }
}
