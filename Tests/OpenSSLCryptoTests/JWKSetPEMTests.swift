import Foundation
import OpenSSLCrypto
import TestSupport
import Testing

/// Keys in PEM: by their ids as Google publishes them, and in a file.
@Suite struct JWKSetPEMTests {
    /// A private key, its certificate and its public key, made by OpenSSL.
    private struct Made {
        let certificate: String
        let publicKey: String
        let secret: String

        init(_ algorithm: String, option: String? = nil, days: String = "1") throws {
            let key = try OpenSSLCommand.newKey(algorithm, option: option)
            secret = key
            (certificate, publicKey) = try OpenSSLCommand.inFolder { folder in
                let path = "\(folder)/key"
                try key.write(toFile: path, atomically: true, encoding: .utf8)
                return (
                    try OpenSSLCommand.run("req", "-x509", "-key", path, "-subj", "/CN=x", "-days", days),
                    try OpenSSLCommand.run("pkey", "-in", path, "-pubout")
                )
            }
        }
    }

    private static let rsa = Result { try Made("RSA", option: "rsa_keygen_bits:2048") }

    private func set(_ json: [String: Any]) throws -> JWKSet {
        try JWKSet(parsing: Array(JSONSerialization.data(withJSONObject: json, options: .sortedKeys)))
    }

    @Test(
        arguments: [
            ("RSA", "rsa_keygen_bits:2048", .rs256), ("EC", "ec_paramgen_curve:P-256", .es256),
            ("EC", "ec_paramgen_curve:P-384", .es384), ("ED25519", nil, .edDSA),
        ] as [(String, String?, JWSAlgorithm)])
    func `certificates and public keys of each type have the same key`(
        type: String, option: String?, algorithm: JWSAlgorithm
    ) throws {
        let made = try Made(type, option: option)
        let set = try set(["a": made.certificate, "b": made.publicKey])
        #expect(set.keys.map(\.keyID) == ["a", "b"] && set.skipped.isEmpty)
        #expect(set.keys.allSatisfy { $0.verifies(by: algorithm) })
        #expect(set.keys[0].key.isSame(as: set.keys[1].key))
        // Without ids, one key is one key.
        let file = try JWKSet(parsing: Array("\(made.certificate)\n\(made.publicKey)".utf8))
        #expect(file.keys.map(\.keyID) == [nil] && file.keys[0].key.isSame(as: set.keys[0].key))
    }

    @Test func `a bad entry costs only itself and is named`() throws {
        let made = try Self.rsa.get()
        let other = try Made("EC", option: "ec_paramgen_curve:P-521").publicKey
        let set = try set([
            "a": made.certificate, "b": 1, "c": "", "d": "x", "e": String(made.certificate.dropLast(40)),
            "f": made.certificate + "x", "g": made.secret, "h": other,
        ])
        #expect(set.keys.map(\.keyID) == ["a"])
        let starts = [
            "2 of the set is empty", "3 of the set is empty", "4 of the set is not PEM", "5 of the set is truncated",
            "6 of the set has data after its PEM block", "7 of the set is a PEM block of another kind",
            "8 of the set is a key of type EC",
        ]
        #expect(set.skipped.count == starts.count)
        for (sentence, start) in zip(set.skipped, starts) { #expect(sentence.hasPrefix("key \(start)"), "\(sentence)") }
        let file = try JWKSet(parsing: Array((made.secret + made.publicKey + "-----BEGIN").utf8))
        #expect(file.keys.count == 0 && file.skipped.count == 2)
        #expect(!set.skipped.joined().contains(made.secret.split(separator: "\n")[1]))
    }

    @Test func `neither JSON nor PEM is refused, and too many keys are skipped`() throws {
        for text in [
            "", "x", " -----BEGIN CERTIFICATE-----", "{\"a\": \"x\"}", "{\"error\": {\"message\": \"-----BEGIN \"}}",
        ] {
            #expect(throws: JWKSetError.self) { try JWKSet(parsing: Array(text.utf8)) }
        }
        let blocks = [String](repeating: "-----BEGIN x", count: 101)
        #expect(try JWKSet(parsing: Array(blocks.joined().utf8)).skipped.count == 101)
        let members = Dictionary(blocks.enumerated().map { ("\($0.offset)", $0.element) }) { $1 }
        #expect(try set(members).skipped.count == 101)
    }
}
