import CallerAccess
import OpenSSLCrypto
import StrictJSON

/// An identity provider with one RSA key, whose tokens hold what a test needs.
struct TestIssuer {
    static let name = "https://id.example"
    static let audience = "fleet"
    static let now: Int64 = 1_700_000_000
    private static let sharedKeys = Result { try (0..<2).map { _ in try RSAPrivateKey.generate() } }

    let key: RSAPrivateKey
    let keyID: String

    /// The issuer with one of two keys that all tests share.
    init(key number: Int = 0, keyID: String = "k1") throws {
        key = try Self.sharedKeys.get()[number]
        self.keyID = keyID
    }

    /// A token; members are JSON texts by their names, and one that is nil is left out.
    func token(
        header: [String: String?] = [:], claims: [String: String?] = [:], at now: Int64 = now
    ) throws -> [UInt8] {
        try token(headerText: headerText(header), claimsText: claimsText(claims, at: now))
    }

    /// A token of any two texts, signed.
    func token(headerText: String, claimsText: String) throws -> [UInt8] {
        try Self.token(headerText: headerText, claimsText: claimsText) { try key.sign($0) }
    }

    static func token(
        headerText: String, claimsText: String, sign: ([UInt8]) throws -> [UInt8]
    ) throws -> [UInt8] {
        let dot = [UInt8(ascii: ".")]
        let input = Base64URL.encode(Array(headerText.utf8)) + dot + Base64URL.encode(Array(claimsText.utf8))
        return try input + dot + Base64URL.encode(sign(input))
    }

    func headerText(_ changes: [String: String?] = [:]) -> String {
        Self.object(["alg": #""RS256""#, "kid": "\"\(keyID)\""], changes)
    }

    func claimsText(_ changes: [String: String?] = [:], at now: Int64 = now) -> String {
        let claims = [
            "iss": "\"\(Self.name)\"", "aud": "\"\(Self.audience)\"", "sub": #""driver-7""#, "iat": "\(now)",
            "exp": "\(now + 3600)",
        ]
        return Self.object(claims, changes)
    }

    /// The set of its public key.
    func keys() throws -> JWKSet {
        try JWKSet(parsing: JWKSet.render([(keyID: keyID, publicKey: key.publicKey())]))
    }

    static func policy(
        issuer: String = name, algorithms: [JWSAlgorithm] = [.rs256], leeway: Int64 = 60, type: String? = nil
    ) throws -> IssuerPolicy {
        try IssuerPolicy(
            issuer: issuer, audiences: [audience, "other"], algorithms: algorithms, leeway: leeway, type: type)
    }

    /// A verifier that has the issuer's key.
    func verifier(_ policy: IssuerPolicy? = nil, cacheBytes: Int = 1 << 20) throws -> BearerTokenVerifier {
        let verifier = try BearerTokenVerifier(issuers: [policy ?? Self.policy()], cacheBytes: cacheBytes)
        verifier.replaceKeys(of: Self.name, with: try keys())
        return verifier
    }

    private static func object(_ members: [String: String], _ changes: [String: String?]) -> String {
        var members = members
        for (name, text) in changes { members[name] = text }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}

extension BearerTokenVerifier {
    /// Why a token is refused; nil if it is accepted.
    func fault(_ token: [UInt8], at now: Int64 = TestIssuer.now) -> BearerTokenFault? {
        refusal(token, at: now)?.fault
    }

    /// The same with what it says about the token.
    func refusal(_ token: [UInt8], at now: Int64 = TestIssuer.now) -> BearerTokenRefusal? {
        do {
            _ = try principal(of: token, at: now)
            return nil
        } catch {
            return error
        }
    }
}

extension BearerTokenVerifier {
    /// Replaces an issuer's keys.
    func replaceKeys(of issuer: String, with keys: JWKSet) { keyReplacement(of: issuer)(keys) }
}
