/// What a cached token is found by: the whole of what was signed besides the time, never less, so that no request can
/// receive what another's claims, signer or policy made.
package struct TokenKey: Hashable, Sendable {
    /// The private claims.
    package let claims: PrivateClaims
    private let profile: SigningProfile
    /// Computed once: it picks the shard and then the place in the shard's dictionary. The hash is seeded at random in
    /// each process, so ids cannot be chosen to collide.
    let digest: Int

    /// The key of the token a minter of this profile would make for these claims.
    package init(claims: PrivateClaims, profile: SigningProfile) {
        var hasher = Hasher()
        claims.hash(into: &hasher)
        profile.hash(into: &hasher)
        (digest, self.claims, self.profile) = (hasher.finalize(), claims, profile)
    }

    /// Whether both name the same token, compared in full.
    package static func == (left: TokenKey, right: TokenKey) -> Bool {
        left.digest == right.digest && left.claims == right.claims && left.profile == right.profile
    }

    /// Feeds the hash that was computed when the key was made.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }

    /// The hash that was computed when the key was made, which a dictionary need not compute again.
    package func _rawHashValue(seed: Int) -> Int { digest ^ seed }

    /// Bytes of the ids in UTF-8.
    var idBytes: Int { claims.idBytes }
}
