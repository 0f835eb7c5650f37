/// The key of a cached token: everything that was signed except the time, so that no request can get a token with another
/// request's claims, signer or policy.
package struct TokenKey: Hashable, Sendable {
    package let claims: PrivateClaims
    private let profile: SigningProfile
    /// Computed once: it selects the shard and then the place in the shard's dictionary. Each process seeds its hashes at
    /// random, so a client cannot choose ids that collide.
    let digest: Int

    /// The key of the token that a minter with this profile makes for these claims.
    package init(claims: PrivateClaims, profile: SigningProfile) {
        var hasher = Hasher()
        claims.hash(into: &hasher)
        profile.hash(into: &hasher)
        (digest, self.claims, self.profile) = (hasher.finalize(), claims, profile)
    }

    /// Whether all parts of both are the same.
    package static func == (left: TokenKey, right: TokenKey) -> Bool {
        left.digest == right.digest && left.claims == right.claims && left.profile == right.profile
    }

    /// Uses the hash that was computed when the key was made.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }

    /// The hash that was computed when the key was made, so that a dictionary does not compute another one.
    package func _rawHashValue(seed: Int) -> Int { digest ^ seed }

    /// Bytes of the ids in UTF-8.
    var idBytes: Int { claims.idBytes }
}
