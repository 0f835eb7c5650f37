import TestSupport
import Foundation
import OpenSSLCrypto
import StrictJSON
import Testing

/// The cases of Wycheproof (github.com/C2SP/wycheproof, commit dac1dd4, Apache License 2.0) for the algorithms that we
/// verify, without what the tests do not read. A case is its number, the expected result, the message and the signature,
/// both in base64url.
struct SignatureVectors: Decodable {
    let alg: String
    let groups: [Group]

    struct Group: Decodable {
        let key: [String: String]
        let tests: [[Field]]
    }

    /// A number or a text.
    enum Field: Decodable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? .number(container.decode(Int.self))) ?? .text(container.decode(String.self))
        }

        var text: String { if case .text(let text) = self { text } else { "" } }
        var number: Int { if case .number(let number) = self { number } else { 0 } }
    }

    static func file<Content: Decodable>(_ name: String) throws -> Content {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let json = try Child.mustRun(["gzip", "-dc", folder.appending(path: name).path])
        return try JSONDecoder().decode(Content.self, from: Data(json.utf8))
    }
}

@Suite struct SignatureVectorTests {
    @Test(arguments: [
        ("ecdsa_secp256r1_sha256_p1363", 262), ("ecdsa_secp384r1_sha384_p1363", 280), ("ed25519", 151),
        ("rsa_signature_2048_sha256", 259), ("rsa_signature_2048_sha384", 258), ("rsa_signature_2048_sha512", 259),
        ("rsa_signature_3072_sha256", 259), ("rsa_signature_3072_sha384", 259), ("rsa_signature_3072_sha512", 260),
        ("rsa_signature_4096_sha256", 258), ("rsa_signature_4096_sha384", 259), ("rsa_signature_4096_sha512", 259),
        ("rsa_pss_2048_sha256_mgf1_32", 108), ("rsa_pss_3072_sha256_mgf1_32", 108),
        ("rsa_pss_4096_sha256_mgf1_32", 108), ("rsa_pss_2048_sha384_mgf1_48", 141),
        ("rsa_pss_4096_sha384_mgf1_48", 141), ("rsa_pss_4096_sha512_mgf1_64", 179),
    ])
    func `signatures are judged as Wycheproof says`(name: String, count: Int) throws {
        let files: [String: SignatureVectors] = try SignatureVectors.file("signatures.json.gz")
        let vectors = try #require(files[name])
        let algorithm = try #require(JWSAlgorithm(rawValue: vectors.alg))
        var (judged, deviating) = (0, [Int]())
        for group in vectors.groups {
            let json = try JSONSerialization.data(withJSONObject: group.key)
            let key = try? JWKSet(parsing: Array(json)).keys.first?.key
            for test in group.tests {
                let (message, signature) = try (bytes(test[2]), bytes(test[3]))
                let isValid = key?.verify(signature, of: message, by: algorithm) ?? false
                judged += 1
                if isValid != (test[1].text == "valid") { deviating.append(test[0].number) }
            }
        }
        #expect(judged == count)
        #expect(deviating.isEmpty)
    }

    private func bytes(_ field: SignatureVectors.Field) throws -> [UInt8] { try Base64URL.decode(field.text.utf8) }
}
