/// The claims that are about to be signed. It exists only if Fleet Engine would accept them (FleetEngineContract.md,
/// "The token").
struct ClaimSet {
    /// Midnight after the last day of the year 9999. A later clock is wrong.
    private static let endOfTime: Int64 = 253_402_300_800

    let privateClaims: PrivateClaims
    let issuedAt: Int64
    let expiresAt: Int64

    init(_ privateClaims: PrivateClaims, policy: TokenPolicy, at now: Int64) throws(SigningError) {
        guard (0..<Self.endOfTime).contains(now) else {
            throw SigningError(reason: "the clock is at \(now) s since the epoch; expected a time from 1970 to 9999")
        }
        self.privateClaims = privateClaims
        issuedAt = now - policy.backdate
        expiresAt = issuedAt + policy.lifetime
        try check(at: now)
    }

    /// Checks the values themselves, whatever computed them: a token that allows too much must not be signed.
    private func check(at now: Int64) throws(SigningError) {
        guard issuedAt >= 0, issuedAt <= now else {
            throw SigningError(reason: "iat would be \(issuedAt) at \(now); expected 0 or more and not in the future")
        }
        guard expiresAt > now, expiresAt - now <= TokenPolicy.maxLifetime else {
            throw SigningError(reason: "exp would be \(expiresAt) at \(now); expected 1 to 3600 s ahead")
        }
        guard privateClaims.ids.allSatisfy({ !$0.text.isEmpty && $0.text != PrivateClaimName.wildcard }) else {
            throw SigningError(reason: "an id would be a wildcard or empty; expected the ids that were asked for")
        }
    }
}
