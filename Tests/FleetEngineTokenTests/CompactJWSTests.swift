import FleetEngineToken
import StrictJSON
import Testing

@Suite struct CompactJWSTests {
    /// With a short signature, because each change of a byte is parsed.
    private let token: [UInt8] = {
        let header = #"{"alg":"RS256","kid":"0123456789abcdef","typ":"JWT"}"#
        let claims = #"{"aud":"https://fleetengine.googleapis.com/","authorization":{"tripid":"t-1"},"exp":1700003300}"#
        let parts = [Array(header.utf8), Array(claims.utf8), [UInt8](0..<16)].map { Base64URL.encode($0) }
        return Array(parts.joined(separator: [UInt8(ascii: ".")]))
    }()

    @Test func `a token is parsed into signed text and signature`() throws {
        let jws = try CompactJWS(parsing: token)
        #expect(jws.header["kid"] == .string("0123456789abcdef"))
        #expect(jws.claims["exp"] == .integer(1_700_003_300))
        #expect(jws.signature == [UInt8](0..<16))
        #expect(jws.signingInput + [UInt8(ascii: ".")] + Base64URL.encode(jws.signature) == token)
    }

    @Test func `no prefix or changed byte parses as the same token`() throws {
        let whole = try CompactJWS(parsing: token)
        for count in 0..<token.count {
            guard let jws = try? CompactJWS(parsing: Array(token[..<count])) else { continue }
            #expect(jws.signature != whole.signature)
        }
        for index in token.indices {
            for byte in UInt8.min...UInt8.max where byte != token[index] {
                var changed = token
                changed[index] = byte
                guard let jws = try? CompactJWS(parsing: changed) else { continue }
                #expect(jws.signature != whole.signature || jws.signingInput != whole.signingInput)
            }
        }
    }

    @Test(arguments: [
        ("", CompactJWSError.notThreeParts(count: 1)), ("a.b.c.d", .notThreeParts(count: 4)),
        (" e30.e30.", .notBase64URL(.header, .foreignCharacter)), ("e30=.e30.", .notBase64URL(.header, .padding)),
        ("e30.e30.A", .notBase64URL(.signature, .cutOff)), ("e30.e31.", .notBase64URL(.payload, .strayBits)),
        ("W10.e30.", .notObject(.header)), (".e30.", .notJSON(.header, JSONError(problem: .empty, offset: 0))),
    ])
    func `anything but the compact serialization is refused`(text: String, error: CompactJWSError) {
        #expect(throws: error) { try CompactJWS(parsing: Array(text.utf8)) }
    }

    @Test(arguments: 0..<24)
    func `dots are counted at every place`(place: Int) {
        for other in ["a", "/", "-", "\u{AE}"] {
            for second in 0..<24 where second != place {
                var text = Array(String(repeating: other, count: 24).utf8)
                text[place] = UInt8(ascii: ".")
                #expect(throws: CompactJWSError.notThreeParts(count: 2)) { try CompactJWS(parsing: text) }
                text[second] = UInt8(ascii: ".")
                text += [UInt8(ascii: ".")]
                #expect(throws: CompactJWSError.notThreeParts(count: 4)) { try CompactJWS(parsing: text) }
            }
        }
    }
}
