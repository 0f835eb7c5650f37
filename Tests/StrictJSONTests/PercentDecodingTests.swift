import Testing

@testable import StrictJSON

@Suite struct PercentDecodingTests {
    private func decoded(_ text: [UInt8], _ range: Range<Int>? = nil) -> [UInt8]? {
        PercentEncoding.decode(text.span, range ?? 0..<text.count)
    }

    private func decoded(_ text: String) -> [UInt8]? { decoded(Array(text.utf8)) }

    @Test func `every encoded byte is decoded with digits in either case`() {
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16)
            let padded = digits.count == 1 ? "0\(digits)" : digits
            #expect(decoded("%\(padded)") == [byte])
            #expect(decoded("%\(padded.uppercased())") == [byte])
        }
        #expect(decoded("%aB%Ab") == [0xAB, 0xAB])
    }

    @Test func `every raw byte except the percent sign is unchanged`() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "%") {
            #expect(decoded([byte]) == [byte])
        }
        #expect(decoded("a+b") == Array("a+b".utf8))
        #expect(decoded("%2B%252B") == Array("+%2B".utf8))
        #expect(decoded("") == [])
    }

    @Test func `only two hexadecimal digits may follow a percent sign`() {
        let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect((decoded(Array("%".utf8) + [byte] + Array("0".utf8)) != nil) == hexadecimal.contains(byte))
            #expect((decoded(Array("%0".utf8) + [byte]) != nil) == hexadecimal.contains(byte))
        }
    }

    @Test(arguments: ["%", "%4", "%%41", "%g1", "%1g", "% 41", "%+1", "%-1", "%0x", "%u0041"])
    func `a malformed encoding anywhere makes the whole text invalid`(malformed: String) {
        let text = "trip%2D1_"
        for place in 0...text.count where !["2", "D"].contains(text.dropFirst(place).first) {
            // What follows must not complete the encoding.
            let after = "." + text.dropFirst(place)
            #expect(decoded(text.prefix(place) + malformed + after) == nil, "at \(place)")
        }
        #expect(decoded("a\(malformed)") == nil)
    }

    @Test func `nothing outside the range is read, even to complete an encoding`() {
        let text = Array("%41%42%43".utf8)
        #expect(decoded(text, 3..<6) == Array("B".utf8))
        #expect(decoded(text, 4..<6) == Array("42".utf8))
        #expect(decoded(text, 0..<4) == nil)
        #expect(decoded(text, 0..<5) == nil)
        #expect(decoded(text, 9..<9) == [])
    }
}
