import StrictJSON
import Testing

@Suite struct CivilTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-5, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_799, "2000-02-29T23:59:59Z"), (951_868_800, "2000-03-01T00:00:00Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        (Int64.max, "9999-12-31T23:59:59Z"),
    ])
    func `seconds since the epoch are written as RFC 3339`(seconds: Int64, text: String) {
        #expect(CivilTime(clamping: seconds).rfc3339 == text)
    }

    @Test func `each day is followed by the next calendar day for 8000 years`() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (year, month, day) = (1970, 1, 1)
        for seconds in stride(from: 0, through: CivilTime.last, by: 86_400) {
            let time = CivilTime(clamping: seconds)
            guard (time.year, time.month, time.day) == (year, month, day) else {
                Issue.record("\(time.rfc3339) instead of \(year)-\(month)-\(day)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            day += 1
            if day > lengths[month - 1] + (isLeap && month == 2 ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test func `a written time reads back, and an almost valid one is rejected`() {
        for seconds in stride(from: 0, through: CivilTime.last, by: 11_111_111) {
            let text = CivilTime(clamping: seconds).rfc3339
            #expect(CivilTime.epochSeconds(rfc3339: Array(text.utf8)[...]) == seconds)
        }
        for text in [
            "", "2027-01-31", "2027-01-31T00:00:00", "2027-02-30T00:00:00Z", "2027-01-31T24:00:00Z",
            "2027-01-31t00:00:00z", "2027-01-31 00:00:00Z", "1969-12-31T23:59:59Z", "2027-1-031T00:00:00Z",
            "2027-01-31T00:00:60Z", "+027-01-31T00:00:00Z", "2027-01-31T00:00:00+", "２027-01-31T00:00Z",
        ] {
            #expect(CivilTime.epochSeconds(rfc3339: Array(text.utf8)[...]) == nil, "\(text)")
        }
    }
}
