import Glibc

/// A time as a date and a time of day, UTC, in the proleptic Gregorian calendar.
package struct CivilTime: Hashable, Sendable {
    /// The last second of the year 9999, in seconds since the epoch: RFC 3339 has four digits for a year.
    package static let last: Int64 = 253_402_300_799

    /// 1970 to 9999.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int
    /// 0 to 23.
    package let hour: Int
    /// 0 to 59.
    package let minute: Int
    /// 0 to 59.
    package let second: Int

    /// The time this many seconds after the epoch, or the nearest one from 1970 to 9999.
    package init(clamping epochSeconds: Int64) {
        let seconds = Int(min(max(0, epochSeconds), Self.last))
        (year, month, day) = Self.date(seconds / 86_400)
        let rest = seconds % 86_400
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// The date of a day counted from 1970-01-01. A year is taken to begin in March, so that a leap day is its last.
    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let daysOf400Years = 146_097
        let sinceMarchOfYear0 = days + 719_468
        let cycle = sinceMarchOfYear0 / daysOf400Years
        let dayOfCycle = sinceMarchOfYear0 % daysOf400Years
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / (daysOf400Years - 1)
        let year = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let isNextYear = month >= 10
        return (cycle * 400 + year + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, day)
    }

    /// Parses a text in the form that `rfc3339` writes. Returns seconds since the epoch; nil for any other text.
    package static func epochSeconds(rfc3339 text: ArraySlice<UInt8>) -> Int64? {
        guard text.count == 20 else { return nil }
        let numbers = text.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 6 else { return nil }
        let time = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
        let seconds = days(numbers[0], numbers[1], numbers[2]) * 86_400 + time
        // Writing the seconds again gives the same text only if every number is in its range and every sign in its place.
        return CivilTime(clamping: seconds).rfc3339.utf8.elementsEqual(text) ? seconds : nil
    }

    /// The seconds since the epoch of a NumericDate (RFC 7519 section 2), which may have a fraction or an exponent; nil for
    /// anything that is not a number from 1970 to 9999.
    package static func epochSeconds(_ number: JSONValue, rounded rule: FloatingPointRoundingRule) -> Int64? {
        switch number {
        case .integer(let seconds): return (0...last).contains(seconds) ? seconds : nil
        case .number(let text):
            // Until 9999 a Double is exact to 31 microseconds.
            guard let seconds = Double(text), seconds >= 0, seconds.rounded(rule) <= Double(last) else { return nil }
            return Int64(seconds.rounded(rule))
        default: return nil
        }
    }

    /// Days since 1970-01-01, of years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let daysBeforeMonth = (153 * ((month + 9) % 12) + 2) / 5
        return 365 * year + year / 4 - year / 100 + year / 400 + daysBeforeMonth + day - 1 - 719_468
    }

    /// In the form of RFC 3339, such as `2026-01-31T09:05:00Z`.
    package var rfc3339: String {
        "\(year)-\(Self.two(month))-\(Self.two(day))T\(Self.two(hour)):\(Self.two(minute)):\(Self.two(second))Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// A time in RFC 3339 with milliseconds, UTC, such as `2026-01-31T09:05:00.250Z`.
    package static func rfc3339(_ time: timespec) -> String {
        let civil = CivilTime(clamping: Int64(time.tv_sec))
        let numbers: [(Int, width: Int, after: UInt8)] = [
            (civil.year, 4, UInt8(ascii: "-")), (civil.month, 2, UInt8(ascii: "-")), (civil.day, 2, UInt8(ascii: "T")),
            (civil.hour, 2, UInt8(ascii: ":")), (civil.minute, 2, UInt8(ascii: ":")),
            (civil.second, 2, UInt8(ascii: ".")), (time.tv_nsec / 1_000_000, 3, UInt8(ascii: "Z")),
        ]
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            for (number, width, after) in numbers {
                var rest = max(0, number)
                for place in (end..<end + width).reversed() {
                    text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[end + width] = after
                end += width + 1
            }
            return end
        }
    }
}

/// An HTTP date, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
package enum IMFFixdate {
    private static let bytes = 29
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The epoch began on a Thursday.
    private static let days = ["Thu,", "Fri,", "Sat,", "Sun,", "Mon,", "Tue,", "Wed,"]

    /// The seconds since the epoch; nil if the text is not such a date, is before 1970, or has another day of the week.
    package static func epochSeconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard text.utf8.count == bytes, parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        // CivilTime checks the digits and the days of the month.
        let moment = Array("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z".utf8)
        guard let seconds = CivilTime.epochSeconds(rfc3339: moment[...]) else { return nil }
        return days[Int(seconds / 86_400) % days.count] == parts[0] ? seconds : nil
    }
}
