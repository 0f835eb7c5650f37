import CallerAccess
import FleetEngineToken
import OpenSSLCrypto
import StrictJSON

/// Tokens in compact serialization. What is parsed is written as the same bytes, and with a key whose private half nobody
/// has, one token alone is accepted: the seed.
enum JWSTarget {
    private static let issuer = "https://issuer.example"
    private static let keys = #"""
        {"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"G_XXrHrV62Eqwj5le2Vrb-bMhYD0OngmQ0FBP9WrWzk"}]}
        """#
    /// The token of the seed `signed`, by a key that was thrown away.
    private static let token = Array(
        [
            "eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ",
            "eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwiYXVkIjoiYSIsInN1YiI6InMiLCJpYXQiOjE3OTk5OTkwMDAsImV4cCI6MTgwMDAwMzAwMH0",
            "WeHj1DxW-wykNgp1604qMZLLS8mmBHNlsFRJQt621CCSRwPzwLfr__McNNeWvf8FazieJ8rgxQbaPo7dTdM_Ag",
        ].joined(separator: ".").utf8)
    private static let now: Int64 = 1_800_000_000

    private static let verifier: BearerTokenVerifier? = {
        guard
            let policy = optional({ () throws(IssuerPolicyError) in
                try IssuerPolicy(issuer: issuer, audiences: ["a"], algorithms: JWSAlgorithm.allCases)
            }), let set = optional({ () throws(JWKSetError) in try JWKSet(parsing: Array(keys.utf8)) }),
            let verifier = optional({ () throws(IssuerPolicyError) in try BearerTokenVerifier(issuers: [policy]) })
        else { return nil }
        verifier.keyReplacement(of: issuer)(set)
        return verifier
    }()

    static func run(_ input: [UInt8]) {
        guard let verifier else { return require(false, "no verifier") }
        do throws(BearerTokenRefusal) {
            _ = try verifier.principal(of: input, at: now)
            require(input == token, "accepted \(input.text)")
        } catch {
            require(input != token, "the seed is refused")
        }
        guard let parts = optional({ () throws(CompactJWSError) in try CompactJWS(parsing: input) }) else { return }
        let signature = Base64URL.encode(parts.signature)
        require(parts.signingInput + [UInt8(ascii: ".")] + signature == input, "the parts are not the token")
        let header = optional { () throws(Base64URLError) in try Base64URL.decode(parts.encodedHeader) }
        require(header.map { Base64URL.encode($0) } == Array(parts.encodedHeader), "the header has two encodings")
    }
}

/// JWK sets. Each key is read, merged or skipped, few have the same id, and RSA keys are the same when they are written.
enum JWKTarget {
    static func run(_ input: [UInt8]) {
        guard let set = optional({ () throws(JWKSetError) in try JWKSet(parsing: input) }) else { return }
        let namesakes = Dictionary(grouping: set.keys) { $0.keyID.map { Array($0.utf8) } }
        for (id, keys) in namesakes {
            require(id == nil || keys.count <= 1 + JWKSet.maxNamesakes, "\(keys.count) keys with one id")
            for (place, key) in keys.enumerated() {
                let isRepeated = keys[..<place].contains {
                    $0.algorithm == key.algorithm && $0.key.isSame(as: key.key)
                }
                require(!isRepeated, "a key twice")
            }
        }
        require(set.keys.count + set.skipped.count <= JWKSet.maxKeys + 1, "more keys than may be")
        for sentence in set.skipped { require(!sentence.contains("CANARY"), sentence) }
        for key in set.keys {
            let fitting = JWSAlgorithm.allCases.filter { key.verifies(by: $0) }
            require(!fitting.isEmpty, "a key for nothing")
            for algorithm in fitting {
                require(!key.key.verify([UInt8](repeating: 0, count: 64), of: [1], by: algorithm), "zeros verify")
            }
        }
        // Two of one id may differ in their algorithms alone, which are not written.
        let rsa = namesakes.values.compactMap { keys -> (keyID: String, publicKey: VerificationKey)? in
            guard keys.count == 1, let id = keys[0].keyID, keys[0].key.verifies(by: .rs256) else { return nil }
            return (id, keys[0].key)
        }
        guard !rsa.isEmpty else { return }
        let written = optional { () throws(PublicKeyError) in try JWKSet.render(rsa) }
        let again = written.flatMap { json in optional { () throws(JWKSetError) in try JWKSet(parsing: json) } }
        require(again?.keys.compactMap(\.keyID) == rsa.map(\.keyID), "written as \(written?.text ?? "nothing")")
        for (one, other) in zip(rsa, again?.keys ?? []) {
            let moduli = [one.publicKey, other.key].map { key in
                optional { () throws(PublicKeyError) in try key.modulus() }
            }
            require(moduli[0] == moduli[1], "another modulus")
        }
    }
}
