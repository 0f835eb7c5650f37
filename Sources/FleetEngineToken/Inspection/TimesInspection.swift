import StrictJSON

/// When a token is valid (CONTRACT.md section 1).
struct TimesInspection {
    let times: TokenTimes
    private(set) var findings: [TokenFinding]

    /// The times among the claims, looked at from `now` in seconds since the epoch.
    init(_ claims: JSONObject, at now: Int64) {
        let now = min(max(0, now), CivilTime.last)
        let issued = TimeClaim("iat", claims["iat"])
        let start = claims["nbf"].map { TimeClaim("nbf", $0) }
        let end = TimeClaim("exp", claims["exp"])
        times = TokenTimes(issuedAt: issued.meant, notBefore: start?.meant, expiresAt: end.meant, now: now)
        findings = [issued.finding, start?.finding, end.finding].compactMap { $0 }
        if let expiresAt = times.expiresAt { findings += Self.end(expiresAt, now) }
        if let issuedAt = times.issuedAt, let expiresAt = times.expiresAt { findings += Self.span(issuedAt, expiresAt) }
        findings += Self.start(times)
    }

    private static func end(_ expiresAt: Int64, _ now: Int64) -> [TokenFinding] {
        if expiresAt <= now { return [.expired(by: now - expiresAt)] }
        return expiresAt - now > TokenPolicy.maxLifetime ? [.expiresTooLate(in: expiresAt - now)] : []
    }

    private static func span(_ issuedAt: Int64, _ expiresAt: Int64) -> [TokenFinding] {
        if expiresAt <= issuedAt { return [.expiresBeforeIssued] }
        return expiresAt - issuedAt > TokenPolicy.maxLifetime ? [.lifetimeTooLong(expiresAt - issuedAt)] : []
    }

    private static func start(_ times: TokenTimes) -> [TokenFinding] {
        let issued = times.issuedAt.flatMap { $0 > times.now ? TokenFinding.issuedInFuture(by: $0 - times.now) : nil }
        let start = times.notBefore.flatMap { $0 > times.now ? TokenFinding.notYetValid(for: $0 - times.now) : nil }
        return [issued, start].compactMap { $0 }
    }
}
