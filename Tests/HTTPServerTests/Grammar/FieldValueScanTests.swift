import Testing

@testable import HTTPServer

@Suite struct FieldValueScanTests {
    @Test func `a field value ends at the first byte outside the set`() {
        for byte in UInt8.min ... .max {
            for length in 0..<20 {
                for place in 0..<20 {
                    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length + 20)
                    bytes[place] = byte
                    #expect(bytes.span.endOfFieldValue(from: 0) == bytes.span.end(of: .fieldValue, from: 0))
                    #expect(bytes.span.endOfFieldValue(from: place) == bytes.span.end(of: .fieldValue, from: place))
                }
            }
        }
    }

    @Test func `random field values end at the first byte outside the set`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                [9, 13, 31, 32, 126, 127, 128, 255, UInt8.random(in: 32...126, using: &random)].randomElement(
                    using: &random) ?? 0
            }
            let start = Int.random(in: 0...bytes.count, using: &random)
            #expect(bytes.span.endOfFieldValue(from: start) == bytes.span.end(of: .fieldValue, from: start))
        }
    }
}
