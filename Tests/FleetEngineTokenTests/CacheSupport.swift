@testable import FleetEngineToken

/// A cache, a profile and tokens whose times a test chooses.
struct CacheBench {
    let cache: TokenCache
    let profile: SigningProfile

    init(maxBytes: Int = 1 << 20, reuseFraction: Double = 0.5, shards: Int = 1) throws {
        cache = TokenCache(maxBytes: maxBytes, reuseFraction: reuseFraction, shards: shards)
        profile = SigningProfile(account: "a@b.example", keyID: "k", policy: try TokenPolicy())
    }

    func key(_ id: String) throws -> TokenKey {
        TokenKey(claims: .trip(try FleetEngineID(id)), profile: profile)
    }

    /// A token as minted at `now`: valid for an hour, back-dated by five minutes.
    static func token(
        at now: Int64, lifetime: Int64 = 3600, backdate: Int64 = 300, bytes: Int = 700
    ) -> RenderedToken {
        let issuedAt = now - backdate
        let token = MintedToken(
            jwt: [UInt8](repeating: UInt8(0x61 + bytes % 26), count: bytes), issuedAt: issuedAt,
            expiresAt: issuedAt + lifetime)
        return RenderedToken(token, rendered: token.jwt)
    }

    /// Asks for the id's token; mints one at `now` if the cache has none.
    @discardableResult
    func request(_ id: String, at now: Int64, bytes: Int = 700) throws -> CachedToken {
        let key = try key(id)
        return try cache.token(for: key, at: now) { () throws(SigningError) in Self.token(at: now, bytes: bytes) }
    }
}

extension CachedToken {
    /// A copy of the answer's body.
    var rendered: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: answerBytes) { bytes, count in
            if let start = bytes.baseAddress { copyAnswer(0..<answerBytes, to: start) }
            count = answerBytes
        }
    }
}
