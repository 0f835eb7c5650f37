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
