import OpenSSLCrypto
import StrictJSON

/// A verified token as it is cached: without the token itself.
final class VerifiedToken: CacheEntry {
    /// The whole token's.
    let digest: SHA256Digest
    let principal: Principal
    let times: BearerTokenTimes
    let issuer: TrustedIssuer
    /// The set whose key verified it.
    let keys: IssuerKeys
    /// Bytes that it takes, estimated rather too high.
    let bytes: Int

    /// Bytes besides the claims and the name: its places in the cache (`ExpiringEntries.overhead`), and what the allocator
    /// rounds up.
    private static let overhead = 512

    init(
        _ digest: SHA256Digest, _ principal: Principal, times: BearerTokenTimes, issuer: TrustedIssuer, keys: IssuerKeys
    ) {
        (self.digest, self.principal) = (digest, principal)
        (self.times, self.issuer, self.keys) = (times, issuer, keys)
        bytes = Self.overhead + JSONValue.object(principal.claims ?? [:]).heapBytes + principal.name.heapBytes
    }

    /// Whether it is accepted without verification: never after `exp`, leeway or not, nor by keys that were replaced.
    func isValid(at now: Int64) -> Bool {
        now < times.expiresAt && !keys.isRetired
    }
}
