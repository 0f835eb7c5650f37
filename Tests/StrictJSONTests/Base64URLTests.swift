import Foundation
import StrictJSON
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 section 10 encode without padding`(text: String, encoded: String) {
        #expect(String(decoding: Base64URL.encode(Array(text.utf8)), as: UTF8.self) == encoded)
    }

    @Test func `the example of RFC 7515 appendix C uses the URL alphabet`() {
        #expect(String(decoding: Base64URL.encode([3, 236, 255, 224, 193]), as: UTF8.self) == "A-z_4ME")
    }

    @Test(arguments: 0...70)
    func `every length agrees with Foundation`(count: Int) {
        for first in stride(from: 0, to: 256, by: 5) {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: first &+ $0 &* 37) }
            let expected = Data(bytes).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
            #expect(Base64URL.encode(bytes) == Array(expected.utf8))
            #expect(Base64URL.length(of: count) == expected.utf8.count)
        }
    }

    @Test func `the encoding is appended after the existing text`() {
        var text = Array("head.".utf8)
        Base64URL.append(Array("foo".utf8), to: &text)
        #expect(text == Array("head.Zm9v".utf8))
    }
}
