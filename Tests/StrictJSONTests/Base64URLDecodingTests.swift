import StrictJSON
import Testing

@Suite struct Base64URLDecodingTests {
    @Test(arguments: 0...70)
    func `decoding reverses encoding at every length`(count: Int) throws {
        for first in stride(from: 0, to: 256, by: 5) {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: first &+ $0 &* 37) }
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test func `a two-character text is decoded only if encoding can write it`() {
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
    func `a text in another form is refused with its specific error`(text: String, error: Base64URLError) {
        #expect(throws: error) { try Base64URL.decode(text.utf8) }
    }
}
