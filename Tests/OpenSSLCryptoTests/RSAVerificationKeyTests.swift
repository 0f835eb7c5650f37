import Foundation
import OpenSSLCrypto
import TestSupport
import Testing

@Suite struct RSAVerificationKeyTests {
    private let message = Array("header.payload".utf8)

    /// The output of `openssl` for the shared private key; its path replaces `KEY`.
    private func made(_ arguments: String...) throws -> [UInt8] {
        try OpenSSLCommand.inFolder { folder in
            let path = "\(folder)/key"
            try KeyFixture.pem().write(toFile: path, atomically: true, encoding: .utf8)
            let text = try OpenSSLCommand.run(arguments: arguments.map { $0 == "KEY" ? path : $0 })
            return Array(text[try #require(text.range(of: "-----BEGIN")).lowerBound...].utf8)
        }
    }

    @Test func `openssl's public key and certificate verify what the private key signs`() throws {
        let signature = try KeyFixture.key().sign(message)
        for pem in [
            try made("pkey", "-in", "KEY", "-pubout"),
            try made("req", "-x509", "-key", "KEY", "-subj", "/CN=x", "-days", "1"),
        ] {
            let key = try VerificationKey(rsaPEM: pem)
            #expect(try key.modulus().count == 256)
            #expect(key.verify(signature, of: message, by: .rs256))
            #expect(!key.verify(signature, of: message + [0], by: .rs256))
            #expect(!key.verify([], of: message, by: .rs256))
        }
    }

    @Test func `a private key's public half is the one that openssl prints`() throws {
        let key = try KeyFixture.key().publicKey()
        let modulus = try OpenSSLCommand.inFolder { folder in
            try KeyFixture.pem().write(toFile: "\(folder)/key", atomically: true, encoding: .utf8)
            return try OpenSSLCommand.run("rsa", "-in", "\(folder)/key", "-modulus", "-noout")
        }
        let hex = try key.modulus().map { String(format: "%02X", $0) }.joined()
        #expect(modulus == "Modulus=\(hex)\n")
        #expect(try key.exponent() == [1, 0, 1])
        #expect(try key.verify(KeyFixture.key().sign(message), of: message, by: .rs256))
        let again = try VerificationKey(modulus: [0] + key.modulus(), exponent: key.exponent())
        #expect(try again.modulus() == key.modulus())
        #expect(try again.verify(KeyFixture.key().sign(message), of: message, by: .rs256))
    }

    @Test func `an unfit RSA public key is refused with its reason`() throws {
        let modulus = try KeyFixture.key().publicKey().modulus()
        let cases: [([UInt8], [UInt8], PublicKeyError)] = [
            ([], [1, 0, 1], .unfitLength(bits: 0)),
            (Array(modulus.dropLast()), [1, 0, 1], .unfitLength(bits: 2040)),
            ([UInt8](repeating: 0xFF, count: 2049), [1, 0, 1], .unfitLength(bits: 16_392)),
            (modulus.dropLast() + [modulus[255] & 0xFE], [1, 0, 1], .evenModulus),
            (modulus, [1], .unfitExponent), (modulus, [1, 0, 0], .unfitExponent),
            (modulus, [], .unfitExponent), (modulus, [UInt8](repeating: 1, count: 9), .unfitExponent),
        ]
        for (modulus, exponent, error) in cases {
            #expect(throws: error) { try VerificationKey(modulus: modulus, exponent: exponent) }
        }
    }

    @Test func `a PEM text that is not an RSA public key is refused`() throws {
        let pem = String(decoding: try made("pkey", "-in", "KEY", "-pubout"), as: UTF8.self)
        let curve = try OpenSSLCommand.inFolder { folder in
            let path = "\(folder)/key"
            try OpenSSLCommand.newKey("EC", option: "ec_paramgen_curve:P-256")
                .write(toFile: path, atomically: true, encoding: .utf8)
            return try OpenSSLCommand.run("pkey", "-in", path, "-pubout")
        }
        let cases: [(String, String)] = [
            ("", "is empty"), (String(pem.prefix(100)), "is truncated: "),
            (pem + "x", "has data after its PEM block"),
            (try KeyFixture.pem(), "is a PEM block of another kind"),
            ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "cannot be read"),
            (curve, "is a key of type EC"),
        ]
        for (text, start) in cases {
            let error = #expect(throws: PublicKeyError.self) { try VerificationKey(rsaPEM: Array(text.utf8)) }
            #expect(error?.sentence.hasPrefix("the public key \(start)") == true)
        }
    }
}
