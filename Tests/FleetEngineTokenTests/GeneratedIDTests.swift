import FleetEngineToken
import Foundation
import Testing

@Suite struct GeneratedIDTests {
    @Test func `accepted ids keep their bytes in the claim and have distinct keys`() throws {
        let signer = RecordingSigner()
        let minter = TokenMinter(signer: signer, policy: try TokenPolicy())
        var generator = Generator(state: 20_260_101)
        var spellings: [TokenKey: [UInt8]] = [:]
        var accepted = 0
        for _ in 0..<4000 {
            let bytes = Array(generator.text().utf8)
            guard let id = try? FleetEngineID(percentDecoded: bytes) else { continue }
            accepted += 1
            let token = try minter.mint(.trip(id), at: 1_700_000_000)
            let claims = try #require(try DecodedToken(token).payload["authorization"] as? [String: String])
            #expect(Array(claims["tripid", default: ""].utf8) == bytes)
            let key = TokenKey(claims: .trip(id), profile: minter.profile)
            #expect(spellings.updateValue(bytes, forKey: key) ?? bytes == bytes)
        }
        #expect(accepted > 1000)
        #expect(spellings.count > 500)
    }
}

/// Texts that often break a rule or are equal after Unicode normalization; the same in each run.
private struct Generator {
    var state: UInt64
    private let pieces = [
        "a", "b", "trip", "\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "A\u{30A}", "\u{1E69}", "s\u{323}\u{307}",
        "s\u{307}\u{323}", "\u{AC00}", "\u{1100}\u{1161}", "😀", "\u{2028}", "\u{202E}", "\"", "\\", "\\u0041", " ", "*",
        ".", "/", "\u{FF0F}", "\u{0}", "\u{FFFD}", "\u{1F469}\u{200D}", "\u{10FFFF}", "<", "&", "'", "\u{7E}",
    ]

    /// One to eight pieces.
    mutating func text() -> String {
        (0...next(below: 8)).map { _ in pieces[next(below: pieces.count)] }.joined()
    }

    private mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
