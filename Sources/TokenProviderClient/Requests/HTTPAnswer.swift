import Foundation

/// An answer as the transport delivers it.
package struct HTTPAnswer: Sendable {
    let status: Int
    /// By their names in lower case.
    let fields: [String: String]
    let body: Data

    package init(status: Int, fields: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }

    /// The server's clock when it answered (`Date`), in seconds since the epoch.
    var date: TimeInterval? { fields["date"].flatMap(Self.seconds) }

    /// The seconds of `Retry-After`, which holds them or a date (RFC 9110 section 10.2.3); an hour at most. The
    /// device's clock replaces a missing `Date`.
    func retryAfter(at now: ClockReading) -> TimeInterval? {
        guard let text = fields["retry-after"] else { return nil }
        let seconds = UInt32(text).map(TimeInterval.init) ?? Self.seconds(text).map { $0 - (date ?? now.wall) }
        return seconds.map { min(max($0, 0), 3600) }
    }

    /// A date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7) in seconds since the epoch.
    private static func seconds(_ text: String) -> TimeInterval? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)?.timeIntervalSince1970
    }
}
