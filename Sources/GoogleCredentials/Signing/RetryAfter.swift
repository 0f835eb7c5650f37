import HTTPClient
import StrictJSON

/// The header `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Longer times, in seconds, are cut to this: Google counts signatures by the minute (cloud.google.com/iam/quotas), and
    /// one answer must not stop all accounts for longer.
    static let longest: Int64 = 60

    /// The time that the answer names, 0 for a date in the past; nil if it names none. `now` is in seconds since the epoch.
    static func duration(_ response: HTTPClientResponse, at now: Int64) -> Duration? {
        guard let text = response.values(of: "retry-after").first else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber { return .seconds(min(Int64(text) ?? longest, longest)) }
        return IMFFixdate.epochSeconds(text).map { .seconds(min(max(0, $0 - now), longest)) }
    }
}
