import Foundation
import OpenSSLCrypto
import StrictJSON
import TestSupport
import Testing

/// Keys on curves in a JWK set.
@Suite struct JWKPointTests {
    private let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"

    /// The key of RFC 7515 appendix A.3 with changes; a member set to nil is left out.
    private func p256(_ changes: [String: Any?] = [:]) -> [String: Any] {
        var members: [String: Any] = ["kty": "EC", "crv": "P-256", "x": x, "y": y]
        for (name, value) in changes { members[name] = value }
        return members
    }

    /// The key of RFC 8037 appendix A.2 with changes.
    private func ed25519(_ changes: [String: Any?] = [:]) -> [String: Any] {
        var members: [String: Any] = [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ]
        for (name, value) in changes { members[name] = value }
        return members
    }

    private func set(_ keys: [[String: Any]]) throws -> JWKSet {
        try JWKSet(parsing: Array(JSONSerialization.data(withJSONObject: ["keys": keys])))
    }

    /// Expects each key to be skipped for the given reason.
    private func expect(_ cases: [([String: Any], String)], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let set = try set(cases.map(\.0))
        #expect(set.keys.isEmpty, sourceLocation: sourceLocation)
        let reasons = cases.enumerated().map { "key \($0.offset + 1) of the set \($0.element.1)" }
        #expect(set.skipped == reasons, sourceLocation: sourceLocation)
    }

    @Test func `a key has the one algorithm that its alg names`() throws {
        let set = try set([
            p256(), p256(["alg": "ES256", "use": "sig", "key_ops": ["verify", "sign"]]), ed25519(["alg": "EdDSA"]),
            ed25519(["alg": "Ed25519", "kid": "2"]),
        ])
        #expect(set.skipped == [])
        #expect(set.keys.map(\.algorithm) == [nil, .es256, .edDSA, .ed25519])
    }

    @Test func `a key verifies by its type's algorithms, or only by its alg`() throws {
        let keys = try set([p256(), p256(["alg": "ES256"]), ed25519(), ed25519(["alg": "EdDSA", "kid": "2"])]).keys
        let algorithms = keys.map { key in JWSAlgorithm.allCases.filter { key.verifies(by: $0) } }
        #expect(algorithms == [[.es256], [.es256], [.edDSA, .ed25519], [.edDSA, .ed25519]])
    }

    @Test func `an unknown, missing or mismatched curve is reported`() throws {
        try expect([
            (p256(["crv": "secp256k1"]), "has crv other than P-256 or P-384"),
            (p256(["crv": "P-521"]), "has crv other than P-256 or P-384"),
            (p256(["crv": "p-256"]), "has crv other than P-256 or P-384"),
            (p256(["crv": "Ed25519"]), "has crv other than P-256 or P-384"),
            (p256(["crv": 256]), "has crv other than P-256 or P-384"), (p256(["crv": nil]), "has no crv"),
            (ed25519(["crv": "P-256"]), "has crv other than Ed25519"),
            (ed25519(["crv": "X25519"]), "has crv other than Ed25519"),
            (ed25519(["crv": "Ed448"]), "has crv other than Ed25519"), (ed25519(["crv": nil]), "has no crv"),
        ])
    }

    @Test func `a mismatched alg, use or key_ops is reported`() throws {
        try expect([
            (p256(["alg": "ES384"]), "has alg other than ES256"), (p256(["alg": "RS256"]), "has alg other than ES256"),
            (p256(["alg": "none"]), "has alg other than ES256"), (p256(["alg": "HS256"]), "has alg other than ES256"),
            (ed25519(["alg": "ES256"]), "has alg other than EdDSA or Ed25519"),
            (p256(["use": "enc"]), "has use other than sig"),
            (p256(["key_ops": ["sign"]]), "has key_ops other than verify"),
        ])
    }

    @Test func `missing, wrongly sized or off-curve coordinates are reported`() throws {
        let zeros = base64URL([UInt8](repeating: 0, count: 32))
        let ones = base64URL([UInt8](repeating: 0xFF, count: 32))
        let noPoint = "is not a point of P-256; expected the coordinates of one"
        let xBytes = try Base64URL.decode(x.utf8)
        try expect([
            (p256(["x": nil]), "has no x"), (p256(["y": nil]), "has no y"), (ed25519(["x": nil]), "has no x"),
            (p256(["y": 1]), "has y in another form than RFC 7518 asks for"),
            (p256(["y": y + "="]), "has y in another form than RFC 7518 asks for"),
            (p256(["x": base64URL(xBytes.dropLast())]), "has a coordinate of 31 bytes; expected 32"),
            (p256(["x": base64URL([0] + xBytes)]), "has a coordinate of 33 bytes; expected 32"),
            (p256(["crv": "P-384"]), "has a coordinate of 32 bytes; expected 48"),
            (ed25519(["x": base64URL(xBytes.dropLast())]), "has a coordinate of 31 bytes; expected 32"),
            (p256(["x": y, "y": x]), noPoint), (p256(["y": x]), noPoint), (p256(["x": zeros, "y": zeros]), noPoint),
            (p256(["x": ones]), noPoint), (p256(["x": ones, "y": ones]), noPoint),
        ])
        let foreign = try OpenSSLKey.shared(.p384)
        var members: [String: Any] = foreign.jwk
        members["x"] = foreign.jwk["y"]
        try expect([(members, "is not a point of P-384; expected the coordinates of one")])
    }

    @Test(arguments: OpenSSLKey.Kind.allCases)
    func `a key with any private member is skipped, unless that is empty`(kind: OpenSSLKey.Kind) throws {
        let jwk: [String: Any] = try OpenSSLKey.shared(kind).jwk
        try expect(
            ["d", "p", "q", "dp", "dq", "qi", "oth"].flatMap { name in
                [x, 0].map { value in
                    (
                        jwk.merging([name: value]) { $1 },
                        "has \(name), a part of a private key; expected a public key"
                    )
                }
            })
    }

    @Test func `an Ed25519 point of small order is reported`() throws {
        let reason =
            "is a point of small order, for which anyone can sign; "
            + "expected one that was made from a private key"
        let encodings = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            // 0 and 1 in their second, non-canonical encoding.
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
        let points = encodings.map { bytes(hex: $0) }
        let negative = points.map { Array($0.dropLast()) + [$0[31] | 0x80] }
        try expect((points + negative).map { (ed25519(["x": base64URL($0)]), reason) })
    }
}
