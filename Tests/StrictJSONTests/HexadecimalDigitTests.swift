import StrictJSON
import Testing

@Suite struct HexadecimalDigitTests {
    @Test func `every byte is written as two digits and read back`() throws {
        let all = Array(UInt8.min...UInt8.max)
        let digits = HexadecimalDigit.digits(of: all.span)
        #expect(digits.count == 512)
        for byte in all {
            let (high, low) = (digits[2 * Int(byte)], digits[2 * Int(byte) + 1])
            #expect(
                try #require(HexadecimalDigit.value(of: high)) << 4 + #require(HexadecimalDigit.value(of: low)) == byte)
        }
        #expect(HexadecimalDigit.text(of: [0, 0x9A, 0xBC, 0xFF].span) == "009abcff")
        #expect(HexadecimalDigit.text(of: [UInt8]().span) == "")
    }

    @Test func `only twenty-two of all bytes are digits`() {
        let digits = (UInt8.min...UInt8.max).filter { HexadecimalDigit.value(of: $0) != nil }
        #expect(String(decoding: digits, as: UTF8.self) == "0123456789ABCDEFabcdef")
    }
}
