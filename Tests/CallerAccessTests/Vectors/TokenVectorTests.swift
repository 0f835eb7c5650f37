import FleetEngineToken
import Foundation
import OpenSSLCrypto
import StrictJSON
import Testing

/// Wycheproof's cases for JSON Web Signatures and JSON Web Keys (see `SignatureVectors`). A case is its number, its
/// comment, the expected result and the token.
@Suite struct TokenVectorTests {
    private struct Group: Decodable {
        /// A JWK or a set, as text.
        let key: String
        let tests: [[SignatureVectors.Field]]
    }

    /// Why we judge a case in another way.
    private enum Deviation {
        /// It is valid by HMAC: a key that many hold is no key of an issuer.
        case sharedSecret
        /// It is valid on a curve that we do not verify with.
        case otherCurve
        /// It is valid by PS384 (RFC 7520 section 4.2), but the file's key is for PS256.
        case otherAlgorithm
        /// It is invalid since the key was made by a library whose keys can be factored (ROCA), which we do not look for.
        case weakKey
    }

    private static let deviations: [String: [Int: Deviation]] = [
        "json_web_signature": [
            1: .sharedSecret, 346: .otherAlgorithm, 347: .otherCurve, 348: .sharedSecret, 350: .otherAlgorithm,
            351: .otherCurve, 352: .sharedSecret, 357: .sharedSecret, 358: .sharedSecret, 359: .sharedSecret,
            372: .sharedSecret, 373: .sharedSecret, 376: .sharedSecret, 377: .sharedSecret,
        ],
        "json_web_key": [2: .sharedSecret, 7: .weakKey, 13: .sharedSecret, 14: .sharedSecret, 15: .sharedSecret],
    ]

    @Test(arguments: [("json_web_signature", 401), ("json_web_key", 26)])
    func `tokens are judged as Wycheproof says`(name: String, count: Int) throws {
        let files: [String: [Group]] = try SignatureVectors.file("tokens.json.gz")
        var (judged, deviating) = (0, Set<Int>())
        for group in try #require(files[name]) {
            let keys = try? JWKSet(parsing: Array(group.key.utf8))
            for test in group.tests {
                judged += 1
                if isValid(test[3].text, keys) != (test[2].text == "valid") { deviating.insert(test[0].number) }
            }
        }
        #expect(judged == count)
        #expect(deviating == Set(Self.deviations[name, default: [:]].keys))
    }

    /// RFC 7517 appendix A.1: the first key is for encryption.
    private static let publicKeys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","use":"enc","kid":"1"},
        {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPeb\
        WKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgn\
        Yb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44\
        -csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}]}
        """

    @Test func `RFC 7517's public keys are read, and the one for encryption skipped`() throws {
        let keys = try JWKSet(parsing: Array(Self.publicKeys.utf8))
        #expect(keys.keys.map(\.keyID) == ["2011-04-29"])
        #expect(keys.keys.first?.isMeant(for: .rs256) == true && keys.keys.first?.isMeant(for: .rs512) == false)
        #expect(keys.skipped.count == 1)
    }

    @Test(arguments: [
        // Sections 3.1 (HS256) and 6.1 (none).
        ("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        ("eyJhbGciOiJub25lIn0", ""),
    ])
    func `RFC 7519's tokens are refused, as no issuer's key signed them`(header: String, signature: String) throws {
        let claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let keys = try JWKSet(parsing: Array(Self.publicKeys.utf8))
        #expect(!isValid("\(header).\(claims).\(signature)", keys))
    }

    /// What `BearerTokenVerifier` asks of a token before its claims, which these tokens do not have.
    private func isValid(_ token: String, _ keys: JWKSet?) -> Bool {
        guard let parts = try? CompactJWSParts(splitting: Array(token.utf8)),
            let header = try? CompactJWSParts.object(in: parts.header, part: .header),
            (try? CompactJWSParts.bytes(of: parts.payload, part: .payload)) != nil,
            let signature = try? CompactJWSParts.bytes(of: parts.signature, part: .signature),
            header["crit"] == nil, header["b64"] == nil, case .string(let name) = header["alg"],
            let algorithm = JWSAlgorithm(rawValue: name)
        else { return false }
        var keyID: String?
        if case .string(let text) = header["kid"] { keyID = text }
        let named = keys?.keys.filter { keyID == nil || $0.keyID == nil || $0.keyID == keyID } ?? []
        guard let key = named.first, named.count == 1, key.isMeant(for: algorithm) else { return false }
        return key.key.verify(signature, of: parts.signingInput, by: algorithm)
    }
}
