import HTTPClient

/// For how long an answer is fresh, by its own word (RFC 9111 section 4.2).
enum CacheLifetime {
    /// What longer times count as (section 1.2.2).
    private static let longest: Int64 = 1 << 31

    /// Seconds of freshness that are left to an answer that came at `now`, in seconds since the epoch; 0 where it may
    /// not be kept, nil where it does not say.
    static func seconds(_ response: HTTPClientResponse, at now: Int64) -> Int64? {
        let lists = response.values(of: "cache-control").joined(separator: ",").lowercased()
        let directives = lists.split(separator: ",").map { String($0.filter { !" \t\"".contains($0) }) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        guard let lifetime = maxAge(directives) ?? untilExpiry(response, at: now) else { return nil }
        // What an intermediary kept is older than it looks (section 5.1).
        let past = response.values(of: "age").first.flatMap { deltaSeconds($0) } ?? 0
        return max(0, min(lifetime, longest) - past)
    }

    /// What `max-age` says; nil where there is none that is a number.
    private static func maxAge(_ directives: [String]) -> Int64? {
        directives.first { $0.hasPrefix("max-age=") }.flatMap { deltaSeconds($0.dropFirst("max-age=".count)) }
    }

    /// A time in seconds (section 1.2.2), 0 for one that is negative; nil for what is none.
    private static func deltaSeconds(_ text: some StringProtocol) -> Int64? {
        if text.hasPrefix("-") { return deltaSeconds("\(text.dropFirst())").map { _ in 0 } }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? min(Int64(text) ?? longest, longest) : nil
    }

    /// From the moment of the answer, by its own clock where it tells that, to `Expires` (section 4.2.1), the first if
    /// there are several; nil where there is none.
    private static func untilExpiry(_ response: HTTPClientResponse, at now: Int64) -> Int64? {
        guard let text = response.values(of: "expires").first else { return nil }
        // Anything else, 0 above all, is a time in the past (section 5.3).
        guard let expiry = IMFFixdate.epochSeconds(text) else { return 0 }
        let sent = response.values(of: "date").first.flatMap { IMFFixdate.epochSeconds($0) } ?? now
        return max(0, expiry - sent)
    }
}
