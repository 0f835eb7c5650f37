import StrictJSON
import FleetEngineToken

/// What can be wrong with `iat`, `nbf` and `exp` (FleetEngineContract.md, "The token").
struct TimeFindings {
    private static let setTimes = "write iat and exp as whole seconds since 1970, exp at most 3600 after iat"
    private static let setClock = "correct the signing machine's clock, and set iat back by five minutes"

    let missing = FindingRow("time_missing", "{0} is missing", fix: setTimes)
    let notNumber = FindingRow("time_not_number", "{0} is {1}; expected a number", fix: setTimes)
    let fractional = FindingRow(
        "time_fractional", "{0} is {1}, with a fraction or an exponent; expected an integer", fix: setTimes)
    let inMilliseconds = FindingRow(
        "time_in_milliseconds", "{0} is {1}, in milliseconds; expected seconds",
        fix: "divide by 1000 and leave the fraction out")
    let outOfRange = FindingRow("time_out_of_range", "{0} is {1}; expected a time from 1970 to 9999", fix: setTimes)
    let expired = FindingRow(
        "expired", at: "exp", "the token expired {0} ago",
        fix: "fetch a new token before exp, and discard cached tokens in time")
    let expiresTooLate = FindingRow(
        "expires_too_late", at: "exp", "exp is {0} s ahead; Fleet Engine accepts at most {1} s",
        fix: "set exp to at most an hour from now, better five minutes less, and check this machine's clock")
    let expiresBeforeIssued = FindingRow("expires_before_issued", at: "exp", "exp is not after iat", fix: setTimes)
    let lifetimeTooLong = FindingRow(
        "lifetime_too_long", as: .warning, at: "exp", "exp is {0} s after iat; AIP-4111 allows at most {1} s",
        fix: "set exp to iat + {1}")
    let issuedInFuture = FindingRow(
        "issued_in_future", at: "iat", "iat is {0} in the future: Fleet Engine tolerates only about 10 min",
        fix: setClock)
    let issuedSoon = FindingRow(
        "issued_in_future", as: .warning, at: "iat", "iat is {0} in the future; Fleet Engine tolerates about 10 min",
        fix: setClock)
    let notYetValid = FindingRow(
        "not_yet_valid", as: .warning, at: "nbf", "nbf is {0} in the future",
        fix: "remove nbf; Fleet Engine does not need it")
}

/// Checks when a token is valid.
struct TimesInspection {
    let times: TokenTimes
    private(set) var findings: [TokenFinding]

    private static let table = TimeFindings()

    /// The times among the claims, checked at `now` in seconds since the epoch.
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
        if expiresAt <= now { return [table.expired(RelativeTime.span(now - expiresAt))] }
        guard expiresAt - now > TokenPolicy.maxLifetime else { return [] }
        return [table.expiresTooLate("\(expiresAt - now)", "\(TokenPolicy.maxLifetime)")]
    }

    private static func span(_ issuedAt: Int64, _ expiresAt: Int64) -> [TokenFinding] {
        if expiresAt <= issuedAt { return [table.expiresBeforeIssued()] }
        guard expiresAt - issuedAt > TokenPolicy.maxLifetime else { return [] }
        return [table.lifetimeTooLong("\(expiresAt - issuedAt)", "\(TokenPolicy.maxLifetime)")]
    }

    private static func start(_ times: TokenTimes) -> [TokenFinding] {
        func ahead(_ time: Int64?) -> Int64? { time.flatMap { $0 > times.now ? $0 - times.now : nil } }
        let issued = ahead(times.issuedAt).map { seconds in
            (seconds > TokenPolicy.maxBackdate ? table.issuedInFuture : table.issuedSoon)(RelativeTime.span(seconds))
        }
        return [issued, ahead(times.notBefore).map { table.notYetValid(RelativeTime.span($0)) }].compactMap { $0 }
    }
}

/// A time among the claims (NumericDate, RFC 7519 section 2; Fleet Engine: an integer).
struct TimeClaim {
    /// Later numbers are milliseconds: as seconds they would be after the year 5138.
    private static let firstMillisecond: Int64 = 100_000_000_000
    private static let table = TimeFindings()

    /// The time that the claim's author meant; nil if there is none.
    let meant: Int64?
    let finding: TokenFinding?

    init(_ name: String, _ value: JSONValue?) {
        let shown = Quoted.value(value ?? .null)
        switch value {
        case nil: (meant, finding) = (nil, Self.table.missing(name, about: name))
        case .integer(let number): (meant, finding) = Self.read(number, name)
        case .number(let text):
            meant = Self.whole(text)
            finding = (meant == nil ? Self.table.outOfRange : Self.table.fractional)(name, shown, about: name)
        case .string(let text):
            meant = Int64(text).flatMap { Self.read($0, name).meant }
            finding = Self.table.notNumber(name, "the string \(shown)", about: name)
        case .some: (meant, finding) = (nil, Self.table.notNumber(name, shown, about: name))
        }
    }

    private static func read(_ number: Int64, _ name: String) -> (meant: Int64?, TokenFinding?) {
        guard (0...CivilTime.last * 1000).contains(number) else {
            return (nil, table.outOfRange(name, "\(number)", about: name))
        }
        guard number < firstMillisecond else {
            return (number / 1000, table.inMilliseconds(name, "\(number)", about: name))
        }
        return (number, nil)
    }

    /// The whole seconds of a number with a fraction or an exponent.
    private static func whole(_ text: String) -> Int64? {
        guard text.utf8.count <= 64, let number = Double(text), number >= 0, number < Double(firstMillisecond) else {
            return nil
        }
        return Int64(number)
    }
}
