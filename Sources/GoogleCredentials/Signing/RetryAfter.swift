import HTTPClient
import StrictJSON

/// The header `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Longer times, in seconds, are cut to this.
    static let longest: Int64 = 3600

    /// The time that the answer names, 0 for a date in the past; nil if it names none. `now` is in seconds since the epoch.
    static func duration(_ response: HTTPClientResponse, at now: Int64) -> Duration? {
        guard let text = response.values(of: "retry-after").first else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber { return .seconds(min(Int64(text) ?? longest, longest)) }
        return HTTPDate.epochSeconds(text).map { .seconds(min(max(0, $0 - now), longest)) }
    }
}

/// A date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The seconds since the epoch; nil if the text is not such a date. The day of the week is not compared.
    static func epochSeconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        // CivilTime checks the digits and the days of the month.
        return CivilTime.epochSeconds(rfc3339: Array("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z".utf8)[...])
    }
}
