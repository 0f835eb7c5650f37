import OpenSSLCrypto
import StrictJSON

/// A token that was found right, as it is remembered: without the token itself.
final class VerifiedToken: RememberedEntry {
    /// The whole token's.
    let digest: SHA256Digest
    let principal: Principal
    let times: BearerTokenTimes
    let issuer: TrustedIssuer
    /// The set whose key verified it.
    let keys: IssuerKeys
    /// Bytes that remembering it costs, reckoned rather too high.
    let bytes: Int

    /// Bytes besides the claims: two places in a dictionary that is half full, and what the allocator rounds up.
    private static let overhead = 512

    init(
        _ digest: SHA256Digest, _ principal: Principal, times: BearerTokenTimes, issuer: TrustedIssuer, keys: IssuerKeys
    ) {
        (self.digest, self.principal) = (digest, principal)
        (self.times, self.issuer, self.keys) = (times, issuer, keys)
        bytes = Self.overhead + JSONValue.object(principal.claims ?? [:]).heapBytes
    }

    /// Whether it may be taken for right unverified: never beyond its end, leeway or not, nor by keys that are gone.
    func counts(at now: Int64) -> Bool {
        now < times.expiresAt && !keys.isRetired
    }
}
