/// The key of a cached token: everything that was signed except the time, so that no request can get a token with another
/// request's claims, signer or policy.
package struct TokenKey: Hashable, Sendable {
    let profile: SigningProfile
    /// Computed once: it selects the shard and then the place in the shard's table. Each process seeds its hashes at
    /// random, so a client cannot choose ids that collide.
    let digest: Digest
    package let claims: PrivateClaims

    /// The key of the token that a minter with this profile makes for these claims.
    package init(claims: PrivateClaims, profile: SigningProfile) {
        var hasher = Hasher()
        claims.hash(into: &hasher)
        profile.hash(into: &hasher)
        (digest, self.claims, self.profile) = (Digest(value: hasher.finalize()), claims, profile)
    }

    /// Whether all parts of both are the same.
    package static func == (left: TokenKey, right: TokenKey) -> Bool {
        left.digest == right.digest && left.claims == right.claims && left.profile == right.profile
    }

    /// Uses the hash that was computed when the key was made.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }

    /// The hash of a key, by which the cache finds a token.
    struct Digest: Hashable, Sendable {
        let value: Int

        /// So that a dictionary does not compute another one. Keys of one shard have the same remainder, so the low bits are
        /// left out.
        func _rawHashValue(seed: Int) -> Int { value >> 16 ^ seed }
    }

    package func _rawHashValue(seed: Int) -> Int { digest._rawHashValue(seed: seed) }
}

/// What is signed besides the private claims and the time: the account, the key's id and the policy.
///
/// It is stored by reference, so that a key of the cache copies only a pointer, and hashed once, so that a lookup does not
/// hash an account's name again.
package struct SigningProfile: Hashable, Sendable {
    private final class Storage: Sendable {
        let account: String
        let keyID: String
        let policy: TokenPolicy
        let digest: Int

        init(account: String, keyID: String, policy: TokenPolicy) {
            (self.account, self.keyID, self.policy) = (account, keyID, policy)
            var hasher = Hasher()
            hasher.combine(account)
            hasher.combine(keyID)
            hasher.combine(policy)
            digest = hasher.finalize()
        }
    }

    private let storage: Storage

    /// A profile with the signer's account and key and the policy.
    package init(account: String, keyID: String, policy: TokenPolicy) {
        storage = Storage(account: account, keyID: keyID, policy: policy)
    }

    /// The service account's e-mail address, `iss` and `sub`.
    package var account: String { storage.account }
    /// The key's id, `kid`.
    package var keyID: String { storage.keyID }
    /// The audience and the times.
    package var policy: TokenPolicy { storage.policy }

    /// Whether all parts of both are the same.
    package static func == (left: SigningProfile, right: SigningProfile) -> Bool {
        left.storage === right.storage
            || (left.account == right.account && left.keyID == right.keyID && left.policy == right.policy)
    }

    /// Uses the hash that was computed when the profile was made.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.digest)
    }
}
