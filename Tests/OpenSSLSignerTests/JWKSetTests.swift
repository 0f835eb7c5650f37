import FleetEngineToken
import Foundation
import OpenSSLSigner
import Testing

@Suite struct JWKSetTests {
    /// A JWK of the shared key; a member set to nil is left out.
    private func jwk(_ changes: [String: Any?] = [:]) throws -> [String: Any] {
        let key = try KeyFixture.key().publicKey()
        var members: [String: Any] = [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k-1",
            "n": String(decoding: Base64URL.encode(try key.modulus()), as: UTF8.self), "e": "AQAB",
        ]
        for (name, value) in changes { members[name] = value }
        return members
    }

    private func set(_ json: Any) throws -> JWKSet {
        try JWKSet(parsing: Array(JSONSerialization.data(withJSONObject: json)))
    }

    @Test func `a set that is rendered is read back, and its keys verify`() throws {
        let first = try KeyFixture.key()
        let second = try RSAPrivateKey.generate()
        let json = try JWKSet.render([("a", try first.publicKey()), ("b\"\n", try second.publicKey())])
        let set = try JWKSet(parsing: json)
        #expect(set.keys.map(\.keyID) == ["a", "b\"\n"])
        #expect(set.skipped.isEmpty)
        #expect(try set.keys[1].publicKey.verify(second.sign([1]), of: [1]))
        #expect(try !set.keys[0].publicKey.verify(second.sign([1]), of: [1]))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: [[String: String]]])
        let key = try #require(object["keys"]?.first)
        #expect(Set(key.keys) == ["kty", "use", "alg", "kid", "n", "e"])
        #expect(key["kty"] == "RSA" && key["use"] == "sig" && key["alg"] == "RS256" && key["e"] == "AQAB")
        #expect(try JWKSet.render([]) == Array(#"{"keys":[]}"#.utf8))
    }

    @Test func `a JWK by itself is a set of one, and what only describes a key may be missing`() throws {
        #expect(try set(jwk()).keys.count == 1)
        let bare = try set(["keys": [jwk(["use": nil, "alg": nil, "kid": nil, "x5t": "x"])]])
        #expect(bare.keys.map(\.keyID) == [nil])
        #expect(try set(["keys": [jwk(["key_ops": ["verify"]])]]).keys.count == 1)
    }

    @Test func `keys that cannot verify RS256 are passed over, each with its reason`() throws {
        let cases: [([String: Any?], String)] = [
            (["kty": "EC"], "has kty other than RSA"), (["kty": nil], "has no kty"),
            (["use": "enc"], "has use other than sig"), (["alg": "RS512"], "has alg other than RS256"),
            (["key_ops": ["encrypt"]], "has key_ops other than verify"),
            (["kid": 1], "has kid in another form than RFC 7518 asks for"), (["n": nil], "has no n"),
            (["n": "a+b="], "has n in another form than RFC 7518 asks for"),
            (["e": ""], "has e in another form than RFC 7518 asks for"),
            (["e": "AQ"], "has an exponent that is 1 or even; expected an odd one, such as 65537"),
            (["n": "AQAB"], "has 17 bits; expected 2048 to 16384"),
        ]
        let keys = try cases.map { try jwk($0.0) }
        let set = try set(["keys": keys.map { $0 as Any } + ["text", try jwk()]])
        #expect(set.keys.count == 1)
        let reasons = cases.map(\.1) + ["has no members"]
        #expect(set.skipped == reasons.enumerated().map { "key \($0.offset + 1) of the set \($0.element)" })
    }

    @Test func `JSON that is no set is refused`() {
        for json in ["[]", "1", "{}", #"{"keys":{}}"#] {
            #expect(throws: JWKSetError.notKeySet) { try JWKSet(parsing: Array(json.utf8)) }
        }
        #expect(throws: JWKSetError.notJSON(JSONError(problem: .repeatedName, offset: 11))) {
            try JWKSet(parsing: Array(#"{"keys":[],"keys":[]}"#.utf8))
        }
    }
}
