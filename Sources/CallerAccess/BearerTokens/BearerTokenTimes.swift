import StrictJSON

/// When a bearer token is valid, in seconds since the epoch (RFC 7519 sections 4.1.4 to 4.1.6).
struct BearerTokenTimes: Sendable {
    let expiresAt: Int64
    private let notBefore: Int64?
    private let issuedAt: Int64?

    /// The times of the claims, from 1970 to 9999, of which only `exp` must be there. A fraction makes none valid longer.
    init(_ claims: JSONObject) throws(BearerTokenFault) {
        guard let end = try Self.time(claims["exp"], .down, orThrow: .expiryMalformed) else { throw .expiryMissing }
        expiresAt = end
        notBefore = try Self.time(claims["nbf"], .up, orThrow: .notBeforeMalformed)
        issuedAt = try Self.time(claims["iat"], .up, orThrow: .issuedAtMalformed)
    }

    /// Throws why the token is not valid at `now`, by a clock that may differ from the issuer's by the leeway.
    func check(at now: Int64, leeway: Int64) throws(BearerTokenFault) {
        guard now < expiresAt + leeway else { throw .expired }
        if let notBefore, now < notBefore - leeway { throw .notYetValid }
        if let issuedAt, now < issuedAt - leeway { throw .issuedInFuture }
    }

    private static func time(
        _ value: JSONValue?, _ rounding: FloatingPointRoundingRule, orThrow fault: BearerTokenFault
    ) throws(BearerTokenFault) -> Int64? {
        guard let value else { return nil }
        guard let seconds = CivilTime.epochSeconds(value, rounded: rounding) else { throw fault }
        return seconds
    }
}
