extension HTTPRequest {
    /// A request's id as the answer's `X-Request-ID` has it: sixteen hexadecimal digits.
    package static func text(ofID requestID: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            UnsafeMutableRawBufferPointer(text).storeBytes(of: requestID.hexadecimal, as: (UInt64, UInt64).self)
            return 16
        }
    }
}

extension UInt64 {
    /// Sixteen lower-case hexadecimal digits as they lie in memory, the highest first.
    @inline(__always)
    var hexadecimal: (UInt64, UInt64) { (digits(of: self >> 32), digits(of: self & 0xFFFF_FFFF)) }

    /// The eight digits of 32 bits, all of them at once: each becomes a byte, and the byte a character.
    @inline(__always)
    private func digits(of number: UInt64) -> UInt64 {
        var digits = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let characters = digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27
        return characters.bigEndian
    }
}
