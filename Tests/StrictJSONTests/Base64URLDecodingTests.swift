import StrictJSON
import Testing

@Suite struct Base64URLDecodingTests {
    @Test(arguments: 0...70)
    func `decoding undoes encoding, at every length`(count: Int) throws {
        for first in stride(from: 0, to: 256, by: 5) {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: first &+ $0 &* 37) }
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test func `of all texts of two characters only those that encoding writes are decoded`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                guard let bytes = try? Base64URL.decode([first, second]) else { continue }
                #expect(Base64URL.encode(bytes) == [first, second])
            }
        }
    }

    @Test(arguments: [
        ("Zg==", Base64URLError.padding), ("ab+/", .standardAlphabet), ("Zg\n", .foreignCharacter), ("Z", .cutOff),
        ("Zh", .strayBits), ("Zm9vYmF", .strayBits),
    ])
    func `another spelling is refused by what is wrong with it`(text: String, error: Base64URLError) {
        #expect(throws: error) { try Base64URL.decode(text.utf8) }
    }
}
