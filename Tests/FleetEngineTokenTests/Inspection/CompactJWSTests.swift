import FleetEngineToken
import StrictJSON
import Testing

@Suite struct CompactJWSTests {
    /// With a short signature: there are some hundred thousand ways to change it.
    private let token = Array(TokenDraft { $0.signature = [UInt8](0..<16) }.token.utf8)

    @Test func `a token is taken apart into what was signed and its signature`() throws {
        let jws = try CompactJWS(parsing: token)
        #expect(jws.header["kid"] == .string("0123456789abcdef"))
        #expect(jws.claims["exp"] == .integer(1_700_003_300))
        #expect(jws.signature == [UInt8](0..<16))
        #expect(jws.signingInput + [UInt8(ascii: ".")] + Base64URL.encode(jws.signature) == token)
    }

    @Test func `no prefix of a token and no token with another byte can be taken for it`() throws {
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
    func `what is not the compact serialization is refused`(text: String, error: CompactJWSError) {
        #expect(throws: error) { try CompactJWS(parsing: Array(text.utf8)) }
    }

    @Test(arguments: 0..<24)
    func `dots are counted at every place, whatever stands beside`(place: Int) {
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

    @Test func `whatever is pasted, inspection ends, and says nothing raw`() {
        let text = Array("Bearer \(TokenDraft().token)".utf8)
        for index in stride(from: 0, to: text.count, by: 3) {
            for byte: UInt8 in [0, 0x0A, 0x1B, 0x22, 0x2E, 0x3A, 0x7B, 0x80, 0x9B, 0xE2, 0xFF] {
                var changed = text
                changed[index] = byte
                expectNothingRaw(TokenInspection(of: changed, at: TokenDraft.now))
                expectNothingRaw(TokenInspection(of: Array(text[..<index]) + [byte], at: TokenDraft.now))
            }
        }
    }

    private func expectNothingRaw(_ inspection: TokenInspection) {
        for line in inspection.lines {
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }
}
