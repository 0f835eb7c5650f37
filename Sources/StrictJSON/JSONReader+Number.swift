/// Numbers (RFC 8259 section 6).
extension JSONReader {
    /// The number whose sign or first digit is the next byte.
    package mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        _ = skip("-")
        try takeWhole()
        let fraction = try takeFraction()
        let exponent = try takeExponent()
        guard !fraction, !exponent, let integer = integer(from: start) else {
            return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
        }
        return .integer(integer)
    }

    /// The integer made of the digits that were read and the sign before them; nil if it does not fit 64 bits.
    private func integer(from start: Int) -> Int64? {
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var integer: Int64 = 0
        for place in (isNegative ? start + 1 : start)..<offset {
            let digit = Int64(bytes[place] - UInt8(ascii: "0"))
            let (tens, isTooBig) = integer.multipliedReportingOverflow(by: 10)
            // Computed as a negative number, since the lowest integer has no positive counterpart.
            let (sum, isBeyond) = tens.subtractingReportingOverflow(digit)
            guard !isTooBig, !isBeyond else { return nil }
            integer = sum
        }
        guard !isNegative else { return integer }
        return integer == .min ? nil : -integer
    }

    /// Reads the digits before the point: a single zero, or digits without a leading zero.
    private mutating func takeWhole() throws(JSONError) {
        let start = offset
        try takeDigits()
        guard bytes[start] != UInt8(ascii: "0") || offset == start + 1 else { throw error(.malformedNumber, at: start) }
    }

    private mutating func takeFraction() throws(JSONError) -> Bool {
        guard skip(".") else { return false }
        try takeDigits()
        return true
    }

    private mutating func takeExponent() throws(JSONError) -> Bool {
        guard skip("e") || skip("E") else { return false }
        _ = skip("+") || skip("-")
        try takeDigits()
        return true
    }

    /// Reads one digit or more.
    private mutating func takeDigits() throws(JSONError) {
        guard Self.isDigit(try peek()) else { throw error(.malformedNumber) }
        skip(while: Self.isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
