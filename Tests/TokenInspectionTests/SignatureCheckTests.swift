@testable import OpenSSLCrypto
@testable import StrictJSON
@testable import FleetEngineToken
@testable import OpenSSLSigner
import Testing
import TokenInspection

@Suite struct SignatureCheckTests {
    private let signer: RS256Signer
    private let token: [UInt8]

    init() throws {
        signer = try RS256Signer.demo()
        token = try TokenMinter(signer: signer, policy: TokenPolicy()).mint(.trip(FleetEngineID("t-1")), at: Self.now)
            .jwt
    }

    private static let now = TokenDraft.now

    private func keys(
        of signer: RS256Signer, named keyID: String = "demo-key", isSet: Bool = true, account: String? = nil,
        isPartial: Bool = false
    ) throws -> KeyFile {
        let set = try JWKSet(parsing: JWKSet.render([(keyID, signer.publicKey)]))
        return KeyFile(
            place: "the file", isSet: isSet, keys: set.keys, account: account, skipped: ["key 2 is bad"],
            isPartial: isPartial)
    }

    private func check(_ token: [UInt8], _ keys: KeyFile?) -> SignatureCheck {
        InspectionReport(of: token, at: Self.now, keys: keys).signature
    }

    @Test func `a signature is verified by the set's key with its kid`() throws {
        let check = check(token, try keys(of: signer))
        #expect(check.status == .verified)
        #expect(check.sentence == #"by the key "demo-key" of the file; key 2 is bad"#)
    }

    @Test func `a signature by another key of the same kid is wrong`() throws {
        let report = InspectionReport(of: token, at: Self.now, keys: try keys(of: RS256Signer.demo()))
        #expect(report.signature.status == .wrong)
        #expect(
            report.signature.sentence
                == #"the key "demo-key" of the file did not sign it, or the token was changed; key 2 is bad"#)
        #expect(report.isRefused)
    }

    @Test func `a set without the token's kid verifies nothing`() throws {
        let check = check(token, try keys(of: signer, named: "other"))
        #expect(check.status == .wrong)
        #expect(check.sentence == #"the file has no key "demo-key"; key 2 is bad"#)
    }

    @Test func `a partial set leaves tokens of other keys unchecked`() throws {
        let foreign = check(token, try keys(of: signer, named: "other", isPartial: true))
        #expect(foreign.status == .notChecked)
        #expect(
            foreign.sentence == #"the file has no key "demo-key"; key 2 is bad; "#
                + "token-provider inspect --key FILE verifies it by other keys")
        let nameless = Array(TokenDraft { $0.header["kid"] = nil }.token.utf8)
        #expect(check(nameless, try keys(of: signer, isPartial: true)).status == .notChecked)
        #expect(check(token, try keys(of: signer, isPartial: true)).status == .verified)
        #expect(check(token, try keys(of: RS256Signer.demo(), isPartial: true)).status == .wrong)
    }

    @Test func `all keys of a set are tried without a kid`() throws {
        let token = Array(TokenDraft { $0.header["kid"] = nil }.token.utf8)
        let check = check(token, try keys(of: signer))
        #expect(check.status == .wrong)
        #expect(
            check.sentence.hasPrefix("none of the 1 keys of the file signed it, all tried because the token has no kid")
        )
    }

    @Test func `a changed payload makes the signature wrong`() throws {
        let parts = token.split(separator: UInt8(ascii: "."))
        let changed = Base64URL.encode(Array(#"{"authorization":{"tripid":"*"}}"#.utf8))
        let token = Array([Array(parts[0]), changed, Array(parts[2])].joined(separator: [UInt8(ascii: ".")]))
        let check = check(token, try keys(of: signer, isSet: false))
        #expect(check.status == .wrong)
        #expect(check.sentence == "the file did not sign it, or the token was changed")
    }

    @Test func `without key, signature or RS256 nothing is checked`() throws {
        let keys = try keys(of: signer)
        #expect(
            check(token, nil).sentence.contains("https://www.googleapis.com/service_accounts/v1/jwk/ACCOUNT_EMAIL,"))
        let cases: [(TokenDraft, KeyFile?, String)] = [
            (TokenDraft(), nil, "no key was given; save the account's keys, which Google publishes at "),
            (TokenDraft { $0.signature = [] }, keys, "the token has no signature to check"),
            (
                TokenDraft { $0.header["alg"] = #""ES256""# }, keys,
                "alg is not RS256, the only algorithm that is checked"
            ),
        ]
        for (draft, keys, sentence) in cases {
            let check = check(Array(draft.token.utf8), keys)
            #expect(check.status == .notChecked)
            #expect(check.sentence.hasPrefix(sentence))
        }
    }

    @Test func `a signer's other kid and account are refused`() throws {
        let keys = try keys(of: signer, named: "k-1", isSet: false, account: "a@b.example")
        let report = InspectionReport(of: token, at: Self.now, keys: keys)
        #expect(report.signature.status == .verified)
        let own = report.findings.filter { ["kid_unlike_key", "iss_unlike_key"].contains($0.code) }
        #expect(own.map(\.severity) == [.refused, .refused])
        #expect(
            own[0].problem == #"kid is not "k-1", the private_key_id of the key file: Google looks for another key"#)
        let foreign = try self.keys(of: RS256Signer.demo(), named: "k-1", isSet: false, account: "a@b.example")
        let notes = InspectionReport(of: token, at: Self.now, keys: foreign).findings.suffix(2)
        #expect(notes.map(\.severity) == [.note, .note])
        #expect(notes.map(\.code) == ["kid_unlike_key", "iss_unlike_key"])
    }
}
