import Foundation
import OpenSSLCrypto
import OpenSSLSigner
import TestSupport
import Testing

@Suite struct VerificationKeysTests {
    private func keys(_ content: [UInt8]) throws -> VerificationKeys {
        try VerificationKeys(content: content, source: "file")
    }

    @Test func `a key is found in each form of file, with its id`() throws {
        let publicKey = try KeyFixture.key().publicKey()
        let cases: [([UInt8], VerificationKeys.Form, String?)] = [
            (Array(try KeyFixture.key().publicKey().object.pem().utf8), .publicKey, nil),
            (Array(try KeyFixture.pem().utf8), .privateKey, nil),
            (try KeyFixture.json(), .serviceAccountKey, "0123456789abcdef"),
            (try JWKSet.render([("k-1", publicKey)]), .keySet, "k-1"),
        ]
        for (content, form, keyID) in cases {
            let found = try keys(Array(" \n".utf8) + content)
            #expect(found.form == form)
            #expect(found.keys.map(\.keyID) == [keyID])
            #expect(try found.keys[0].key.modulus() == publicKey.modulus())
            #expect(found.account == (form == .serviceAccountKey ? "rider@some-project.iam.gserviceaccount.com" : nil))
        }
    }

    @Test func `a file without a key is refused with its name and reason`() throws {
        let cases: [([UInt8], String)] = [
            ([], "file: the file is empty; expected a key as PEM, a JWK set or a service account's key"),
            (Array("{".utf8), "file: is not a key: the JSON text is cut off"),
            (Array("{}".utf8), "file: type is missing"),
            (Array(#"{"keys":[]}"#.utf8), "file: the JWK set has no key that can verify RS256: it is empty"),
            (
                Array(#"{"kty":"EC"}"#.utf8),
                "file: the JWK set has no key that can verify RS256: key 1 of the set has kty"
            ),
            (
                try KeyFixture.json(["private_key": "x"]),
                "file: private_key is not PEM: it does not begin with a -----BEGIN line"
            ),
            ([0xFF, 0xFE, 0x7B, 0x00], "file: the file is UTF-16 text; expected UTF-8"),
            (
                [0xEF, 0xBB, 0xBF] + Array("{}".utf8),
                "file: the file begins with a UTF-8 byte order mark; expected UTF-8 without it"
            ),
            (
                Array("-----BEGIN RSA PRIVATE KEY-----\n".utf8),
                "file: the private key holds an RSA PRIVATE KEY (PKCS #1)"
            ),
        ]
        for (content, start) in cases {
            let error = #expect(throws: CredentialError.self) { try keys(content) }
            #expect(error?.sentence.hasPrefix(start) == true, "\(error?.sentence ?? "")")
        }
    }
}
