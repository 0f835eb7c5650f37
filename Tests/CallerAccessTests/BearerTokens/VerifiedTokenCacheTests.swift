import Testing

@testable import CallerAccess
@testable import OpenSSLCrypto
@testable import StrictJSON

@Suite struct VerifiedTokenCacheTests {
    private let now = TestIssuer.now
    private let keys: IssuerKeys
    private let issuer: TrustedIssuer

    init() throws {
        keys = IssuerKeys(try TestIssuer().keys().keys)
        issuer = TrustedIssuer(try TestIssuer.policy())
    }

    private func token(_ name: String = "", claimBytes: Int = 0, until end: Int64? = nil) throws -> VerifiedToken {
        let claims: JSONObject = [
            "exp": .integer(end ?? now + 60), "pad": .string(String(repeating: "x", count: claimBytes)),
        ]
        let source = Principal.Source.jwt(issuer: TestIssuer.name)
        let principal = Principal(name: name, source: source, claims: claims, expiresAt: end)
        return VerifiedToken(
            SHA256Digest(of: []), principal, times: try BearerTokenTimes(claims), issuer: issuer, keys: keys)
    }

    /// The end of a token whose signature looks like random bytes.
    private func end(_ number: Int) -> BearerToken.End {
        BearerToken(Base64URL.encode(SHA256Digest(of: Array(String(number).utf8)).bytes)).end
    }

    @Test func `a token is found by its last bytes`() throws {
        let tokens = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 1 << 20, shards: 1)
        tokens.insert(try token("one"), end(1), at: now)
        tokens.insert(try token("two"), end(2), at: now)
        #expect(tokens.entry(end(1), at: now)?.principal.name == "one")
        #expect(tokens.entry(end(2), at: now)?.principal.name == "two")
        #expect(tokens.entry(end(3), at: now) == nil)
    }

    @Test func `a token is not found once it has expired`() throws {
        let tokens = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 1 << 20, shards: 1)
        tokens.insert(try token(until: now + 5), end(1), at: now)
        #expect(tokens.entry(end(1), at: now + 4) != nil)
        #expect(tokens.entry(end(1), at: now + 5) == nil)
    }

    @Test func `no token is found after keys retire`() throws {
        let size = try token().bytes
        let tokens = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 4 * size, shards: 1)
        for number in 1...3 { tokens.insert(try token(), end(number), at: now) }
        keys.retire()
        for number in 1...3 { #expect(tokens.entry(end(number), at: now) == nil) }
    }

    @Test func `recently used tokens stay when space is needed, others are evicted`() throws {
        let size = try token().bytes
        let tokens = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 20 * size, shards: 1)
        for number in 0..<100 {
            tokens.insert(try token(), end(number), at: now)
            #expect(tokens.entry(end(0), at: now) != nil)
            #expect(tokens.bytes <= 20 * size)
            #expect(tokens.bytes == tokens.count * size)
        }
        #expect(tokens.entry(end(1), at: now) == nil)
        #expect(tokens.count >= 10)
    }

    @Test func `a token that is inserted again takes no more space`() throws {
        let size = try token().bytes
        let tokens = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 4 * size, shards: 1)
        for number in [1, 1, 2, 3, 1, 3, 3] {
            tokens.insert(try token(), end(number), at: now)
            #expect(tokens.bytes == tokens.count * size)
        }
        #expect(tokens.count <= 4)
        for number in [1, 3] { #expect(tokens.entry(end(number), at: now) != nil) }
    }

    @Test func `a token larger than the limit is not cached`() throws {
        let big = try token(claimBytes: 8000)
        #expect(big.bytes > 8000)
        for (limit, count) in [(big.bytes - 1, 0), (big.bytes, 1)] {
            let tokens = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: limit, shards: 1)
            tokens.insert(big, end(1), at: now)
            #expect(tokens.count == count)
        }
    }

    @Test func `a caller's name counts as its claims do`() throws {
        let (none, long) = (try token(), try token(String(repeating: "n", count: 256)))
        #expect(long.bytes >= none.bytes + 256 + 32)
    }

    // The letters of base64url are not evenly distributed over the values of a byte.
    @Test func `tokens are spread evenly over the shards`() {
        var counts = [Int](repeating: 0, count: 16)
        for number in 0..<16_000 { counts[Int(end(number).beginning % 16)] += 1 }
        #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
    }

    @Test func `all shards together stay within the cache's byte limit`() throws {
        let cache = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 200_000)
        for number in 0..<2000 {
            cache.insert(try token(claimBytes: number % 500), end(number), at: now)
            #expect(cache.bytes <= 200_000)
        }
        #expect(cache.count > 50)
        #expect(cache.bytes > 50_000)
    }

    @Test func `a cache of zero bytes stores nothing`() throws {
        for bytes in [0, -1] {
            let cache = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: bytes)
            cache.insert(try token(), end(1), at: now)
            #expect(cache.count == 0)
            #expect(cache.entry(end(1), at: now) == nil)
        }
    }

    @Test func `an expired token or one with retired keys is not stored`() throws {
        let cache = EntryCache<BearerToken.End, VerifiedToken>(maxBytes: 1 << 20)
        cache.insert(try token(until: now), end(1), at: now)
        #expect(cache.count == 0)
        keys.retire()
        cache.insert(try token(), end(1), at: now)
        #expect(cache.count == 0)
    }
}
