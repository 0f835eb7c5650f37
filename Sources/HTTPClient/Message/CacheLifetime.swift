import StrictJSON

/// How long an answer says that it is fresh (RFC 9111 section 4.2).
package enum CacheLifetime {
    /// Longer times are cut to this (section 1.2.2).
    private static let longest: Int64 = 1 << 31

    /// The seconds for which an answer received at `now`, in seconds since the epoch, stays fresh. 0 if it must not be
    /// cached, nil if it does not say.
    package static func seconds(_ response: HTTPClientResponse, at now: Int64) -> Int64? {
        let lists = response.values(of: "cache-control").joined(separator: ",").lowercased()
        let directives = lists.split(separator: ",").map { String($0.filter { !" \t\"".contains($0) }) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        guard let lifetime = maxAge(directives) ?? untilExpiry(response, at: now) else { return nil }
        // An intermediary's cached answer is older than it looks (section 5.1).
        let past = response.values(of: "age").first.flatMap { deltaSeconds($0) } ?? 0
        return max(0, min(lifetime, longest) - past)
    }

    /// Nil without a `max-age` that is a number.
    private static func maxAge(_ directives: [String]) -> Int64? {
        directives.first { $0.hasPrefix("max-age=") }.flatMap { deltaSeconds($0.dropFirst("max-age=".count)) }
    }

    /// A time in seconds (section 1.2.2), 0 if negative; nil if it is not a number.
    private static func deltaSeconds(_ text: some StringProtocol) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        let isNumber =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber else { return nil }
        return isNegative ? 0 : min(Int64(digits) ?? longest, longest)
    }

    /// From the answer's `Date`, or `now` without one, to the first `Expires` (section 4.2.1); nil without one.
    private static func untilExpiry(_ response: HTTPClientResponse, at now: Int64) -> Int64? {
        guard let text = response.values(of: "expires").first else { return nil }
        // An invalid date, such as 0, is a time in the past (section 5.3).
        guard let expiry = IMFFixdate.epochSeconds(text) else { return 0 }
        let sent = response.values(of: "date").first.flatMap { IMFFixdate.epochSeconds($0) } ?? now
        return max(0, expiry - sent)
    }
}
