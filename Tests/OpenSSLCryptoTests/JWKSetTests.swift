import Foundation
import OpenSSLCrypto
import StrictJSON
import TestSupport
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

    @Test func `a rendered set is read back, and its keys verify`() throws {
        let first = try KeyFixture.key()
        let second = try RSAPrivateKey.generate()
        let json = try JWKSet.render([("a", try first.publicKey()), ("b\"\n", try second.publicKey())])
        let set = try JWKSet(parsing: json)
        #expect(set.keys.map(\.keyID) == ["a", "b\"\n"])
        #expect(set.skipped.isEmpty)
        #expect(try set.keys[1].key.verify(second.sign([1]), of: [1], by: .rs256))
        #expect(try !set.keys[0].key.verify(second.sign([1]), of: [1], by: .rs256))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: [[String: String]]])
        let key = try #require(object["keys"]?.first)
        #expect(Set(key.keys) == ["kty", "use", "alg", "kid", "n", "e"])
        #expect(key["kty"] == "RSA" && key["use"] == "sig" && key["alg"] == "RS256" && key["e"] == "AQAB")
        #expect(try JWKSet.render([]) == Array(#"{"keys":[]}"#.utf8))
    }

    @Test func `a single JWK is a set, and its descriptive members are optional`() throws {
        #expect(try set(jwk()).keys.count == 1)
        let bare = try set(["keys": [jwk(["use": nil, "alg": nil, "kid": nil, "x5t": "x"])]])
        #expect(bare.keys.map(\.keyID) == [nil])
        #expect(try set(["keys": [jwk(["key_ops": ["verify"]])]]).keys.count == 1)
    }

    @Test func `an RSA key verifies by all RSA algorithms unless alg names one`() throws {
        let keys = try set(["keys": [jwk(["alg": nil, "kid": nil]), jwk(["alg": "PS384"])]]).keys
        let algorithms = keys.map { key in JWSAlgorithm.allCases.filter { key.verifies(by: $0) } }
        #expect(algorithms == [[.rs256, .rs384, .rs512, .ps256, .ps384, .ps512], [.ps384]])
    }

    @Test func `a key that is a set as well is refused`() throws {
        let both = try jwk().merging(["keys": [jwk()]]) { $1 }
        #expect(throws: JWKSetError.notKeySet) { try set(both) }
    }

    @Test func `keys that cannot verify are skipped, each with its reason`() throws {
        // OpenSSL words the reason.
        let certificate = try #require(set(["keys": [jwk(["n": nil, "x5c": ["canary"]])]]).skipped.first)
        #expect(certificate.hasPrefix("key 1 of the set ") && !certificate.contains("canary"))
        let privateMember = "has d, a part of a private key; expected a public key"
        let cases: [([String: Any?], String)] = [
            (["kty": "oct"], "has kty other than RSA, EC or OKP"), (["kty": nil], "has no kty"),
            (["kty": "rsa"], "has kty other than RSA, EC or OKP"), (["kty": 1], "has kty other than RSA, EC or OKP"),
            (["kty": "O\u{212A}P"], "has kty other than RSA, EC or OKP"),
            (["use": "enc"], "has use other than sig"), (["use": 1], "has use other than sig"),
            (["alg": "ES256"], "has alg other than RS256, RS384, RS512, PS256, PS384 or PS512"),
            (["alg": "none"], "has alg other than RS256, RS384, RS512, PS256, PS384 or PS512"),
            (["alg": "HS256"], "has alg other than RS256, RS384, RS512, PS256, PS384 or PS512"),
            (["key_ops": ["encrypt"]], "has key_ops other than verify"),
            (["key_ops": "verify"], "has key_ops other than verify"),
            (["kid": true], "has kid in another form than RFC 7518 asks for"), (["n": nil], "has no n"),
            (["n": NSNull()], "has no n"), (["kty": ""], "has no kty"), (["d": "AQAB"], privateMember),
            (["n": nil, "x5c": ["canary"]], String(certificate.dropFirst("key 1 of the set ".count))),
            (["n": nil, "x5c": [1]], "has x5c in another form than RFC 7518 asks for"),
            (["n": "a+b="], "has n in another form than RFC 7518 asks for"),
            (["e": ""], "has no e"), (["e": "="], "has e in another form than RFC 7518 asks for"),
            (["e": "AQ"], "has an exponent that is 1, even or over 64 bits; expected an odd one, such as 65537"),
            (["n": "AQAB"], "has 17 bits; expected 2048 to 16384"),
        ]
        let keys = try cases.map { try jwk($0.0) }
        let set = try set(["keys": keys.map { $0 as Any } + ["text", try jwk()]])
        #expect(set.keys.count == 1)
        let reasons = cases.map(\.1) + ["has no members"]
        #expect(set.skipped == reasons.enumerated().map { "key \($0.offset + 1) of the set \($0.element)" })
    }

    @Test func `members that are null or empty are as if they were missing`() throws {
        let nothing: [String: Any?] = [
            "alg": NSNull(), "use": "", "key_ops": [String](), "d": NSNull(), "oth": [String](), "crv": NSNull(),
            "x": "", "x5c": [String](), "kid": NSNull(),
        ]
        let set = try set(["keys": [jwk(nothing), jwk(["kid": ""]), jwk(["kid": 7])]])
        #expect(set.skipped == [])
        #expect(set.keys.map(\.keyID) == [nil, nil, "7"])
        #expect(set.keys.map(\.algorithm) == [nil, .rs256, .rs256])
    }

    @Test func `keys with the same kid are kept, each once`() throws {
        let point = ["kty": "EC", "crv": "P-256", "kid": "k-1"].merging(try OpenSSLKey.shared(.p256).jwk) { $1 }
        let set = try set([
            "keys": [
                jwk(), jwk(["kid": "K"]), jwk(["kid": "\u{212A}"]), jwk(), jwk(["alg": "PS256"]), point,
                jwk(["use": "enc"]), jwk(["kid": nil]), jwk(["kid": nil]),
            ]
        ])
        #expect(set.keys.map(\.keyID) == ["k-1", "K", "\u{212A}", "k-1", "k-1", nil])
        #expect(set.keys.map(\.algorithm) == [.rs256, .rs256, .rs256, .ps256, nil, .rs256])
        #expect(set.skipped == ["key 7 of the set has use other than sig"])
    }

    @Test func `more than nine keys of one kid are skipped`() throws {
        let keys = try (0..<11).map { _ in
            try OpenSSLKey(.ed25519).jwk.merging(["kid": "k"]) { $1 } as [String: Any]
        }
        let set = try set(["keys": keys + [jwk()]])
        #expect(set.keys.count == 10 && set.keys.last?.keyID == "k-1")
        let problem = "has the kid of 9 other keys; expected at most 8"
        #expect(set.skipped == ["key 10 of the set \(problem)", "key 11 of the set \(problem)"])
    }

    @Test func `an RSA key may be in a certificate alone`() throws {
        let pem = try OpenSSLCommand.inFolder { folder in
            try KeyFixture.pem().write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            return try OpenSSLCommand.run("req", "-x509", "-key", "\(folder)/key", "-subj", "/CN=x")
        }
        let certificate = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let bare = try jwk(["n": nil, "e": nil, "x5c": [certificate, "unread"]])
        let set = try set(["keys": [bare, jwk(["x5c": ["unread"]])]])
        #expect(set.skipped == [])
        let key = try #require(set.keys.first)
        #expect(key.key.isSame(as: try KeyFixture.key().publicKey()) && set.keys.count == 1)
    }

    @Test(arguments: [("EC", "P-256"), ("EC", "P-384"), ("OKP", "Ed25519")])
    func `a point in a certificate alone is read, with and without curve`(type: String, curve: String) throws {
        let (certificate, key) = try OpenSSLCommand.inFolder { folder in
            let algorithm = curve == "Ed25519" ? ["ed25519"] : ["EC", "-pkeyopt", "ec_paramgen_curve:\(curve)"]
            _ = try OpenSSLCommand.run(arguments: ["genpkey", "-out", "\(folder)/key", "-algorithm"] + algorithm)
            return (
                try OpenSSLCommand.run("req", "-x509", "-key", "\(folder)/key", "-subj", "/CN=x"),
                try OpenSSLCommand.run("pkey", "-in", "\(folder)/key", "-pubout")
            )
        }
        let chain = [certificate.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()]
        func read(_ members: [String: Any]) throws -> JWKSet {
            try set(["keys": [["kty": type, "x5c": chain].merging(members) { $1 }]])
        }
        for members in [[:], ["crv": curve], ["crv": NSNull(), "x": "", "kid": "k"]] as [[String: Any]] {
            let found = try read(members)
            #expect(found.skipped == [] && found.keys.count == 1)
            #expect(found.keys.first?.key.isSame(as: try VerificationKey(pem: Array(key.utf8))) == true)
        }
        let other = curve == "P-256" ? "P-384" : "P-256"
        for (members, problem) in [
            (["kty": "RSA"], "has a certificate other than RSA"),
            (["kty": "EC", "crv": other], "has a certificate other than \(other)"), (["x": "AA"], "has no crv"),
            (["d": "AA"], "has d, a part of a private key; expected a public key"),
        ] {
            #expect(try read(members).skipped == ["key 1 of the set \(problem)"])
        }
    }

    @Test func `only the key whose issuer is not a text is skipped`() throws {
        for issuer in [7, ["a"], [String](), ["a": "b"], true] as [Any] {
            let set = try set(["keys": [jwk(["issuer": issuer]), jwk(["kid": "other", "issuer": "a"])]])
            #expect(set.skipped == ["key 1 of the set has issuer other than a text"])
            #expect(set.keys.map(\.issuer) == ["a"])
        }
        #expect(try set(["keys": [jwk(["issuer": NSNull()])]]).keys.map(\.issuer) == [nil])
    }

    @Test func `keys beyond the hundredth are skipped`() throws {
        #expect(try set(["keys": [Any](repeating: 0, count: 100)]).skipped.count == 100)
        let found = try set(["keys": [jwk()] + [Any](repeating: 0, count: 99) + [jwk(["kid": "late"])]])
        #expect(found.keys.count == 1 && found.skipped.count == 100)
        #expect(found.skipped.last == "key 101 of the set and all after it are skipped; expected at most 100 keys")
    }

    @Test func `only an element of keys is refused alone`() throws {
        let key = String(decoding: try JSONSerialization.data(withJSONObject: jwk()), as: UTF8.self)
        let twice = #"{"a":1,"a":2}"#
        for (json, skipped) in [
            ("{\"keys\":[\(key),\(twice)]}", ["key 2 of the set repeats a member's name"]),
            ("{\"keys\":[\(twice),[[\(twice)]],\(key)]}", ["key 1 of the set repeats", "key 2 of the set repeats"]),
            (
                "{\"keys\":[\"\\ud800\",\"\\uD800\\uD83D\\uDE00\",\(key)]}",
                ["key 1 of the set has half", "key 2 of the set has half"]
            ),
        ] {
            let set = try JWKSet(parsing: Array(json.utf8))
            #expect(set.keys.count == 1 && set.skipped.count == skipped.count, "\(set.skipped)")
            for (found, expected) in zip(set.skipped, skipped) { #expect(found.hasPrefix(expected)) }
        }
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        for json in [
            "{\"keys\":[\(key)],\"keys\":[\(key)]}", "{\"a\":\(twice),\"keys\":[\(key)]}", "{\"keys\":\(twice)}",
            "{\"keys\":[\(key)],\"a\":[\(twice)]}", "[{\"keys\":[\(twice),\(key)]}]", "{\"keys\":[\(key),\(deep)]}",
            "{\"keys\":[\(key),{\"a\":1,\"a\"}]}", "{\"keys\":[\(key),\"\\ud800]}",
            "{\"a\":{\"keys\":[\(twice)]},\"keys\":[\(key)]}",
        ] {
            #expect(throws: JWKSetError.self, "\(json)") { try JWKSet(parsing: Array(json.utf8)) }
        }
    }

    @Test func `JSON that is not a key set is refused`() {
        for json in ["[]", "1", "{}", #"{"keys":{}}"#] {
            #expect(throws: JWKSetError.notKeySet) { try JWKSet(parsing: Array(json.utf8)) }
        }
        #expect(throws: JWKSetError.notJSON(JSONError(problem: .repeatedName, offset: 11))) {
            try JWKSet(parsing: Array(#"{"keys":[],"keys":[]}"#.utf8))
        }
    }
}
