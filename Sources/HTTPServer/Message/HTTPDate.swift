/// The beginning of answers: what is the same in all of a second, rendered once in it.
///
/// It belongs to one loop; the writer of an answer copies nothing of it.
final class HTTPDate {
    /// Bytes of a date.
    static let length = 29
    private static let statusLine = Array("HTTP/1.1 200 OK\r\n".utf8)

    /// `Date` (RFC 9110 section 6.6.1) with its value, and `X-Request-ID` up to its value.
    private(set) var fields: [UInt8] = []
    /// The same after the status line of a 200.
    private(set) var okHead: [UInt8] = []
    /// The date alone.
    private(set) var value: [UInt8] = []
    private var rendered: Int64?

    func update(to epochSeconds: Int64) {
        guard epochSeconds != rendered else { return }
        rendered = epochSeconds
        // A clock before the epoch is wrong in any case.
        value = HTTPDate.render(max(0, epochSeconds))
        fields = Array("Date: ".utf8) + value + Array("\r\nX-Request-ID: ".utf8)
        okHead = HTTPDate.statusLine + fields
    }

    /// A date in IMF-fixdate form (RFC 9110 section 5.6.7).
    static func render(_ epochSeconds: Int64) -> [UInt8] {
        let days = Int(epochSeconds / 86_400)
        let second = Int(epochSeconds % 86_400)
        let (year, month, day) = civil(days)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7]
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]
        var text = "\(weekday), \(two(day)) \(name) \(year) "
        text += "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
        return Array(text.utf8)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Year, month and day of a day number since 1970-01-01, in the proleptic Gregorian calendar, counted in eras of
    /// 400 years that begin on the first of March.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
