internal import FleetEngineToken

/// A moment in seconds since the epoch and as text such as `2027-01-31T00:00:00Z` (RFC 3339), in UTC and to the second.
enum ExpiryDate {
    /// 1970 to 9999.
    static let range = 0...CivilTime.last

    /// The moment's text.
    static func text(_ seconds: Int64) -> String {
        CivilTime(clamping: seconds).rfc3339
    }

    /// The moment of a text; nil if it is not one's.
    static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count == 20 else { return nil }
        let numbers = text.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 6 else { return nil }
        let time = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
        let seconds = days(numbers[0], numbers[1], numbers[2]) * 86_400 + time
        // The text of these seconds is the text only if every number is in its range and every sign in its place.
        return self.text(seconds).utf8.elementsEqual(text) ? seconds : nil
    }

    /// Days since 1970-01-01, of years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let daysBeforeMonth = (153 * ((month + 9) % 12) + 2) / 5
        return 365 * year + year / 4 - year / 100 + year / 400 + daysBeforeMonth + day - 1 - 719_468
    }
}
