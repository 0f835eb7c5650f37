/// From when and until when something in a file is valid, with the messages about its end.
package struct ValidityPeriod: Sendable {
    /// The name that distinguishes it from others of its kind.
    package let name: String
    /// The first and the last second, since the epoch.
    package let validity: ClosedRange<Int64>
    /// The start of the messages: the file, and what expires.
    private let beginning: String
    /// The effect before and after the period.
    private let consequence: String

    init(_ name: String, _ validity: ClosedRange<Int64>, of beginning: String, otherwise consequence: String) {
        (self.name, self.validity, self.beginning, self.consequence) = (name, validity, beginning, consequence)
    }

    package static let daySeconds: Int64 = 86_400
    private static let hourSeconds: Int64 = 3600
    /// The warning starts this many days before the end, or at the last third of a shorter period.
    private static let warnedDays: Int64 = 14

    /// The message if it is not valid or expires soon, at a time in seconds since the epoch; otherwise nil.
    package func warning(at now: Int64) -> String? {
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        if let failure = failure(at: now) { return failure }
        guard end - now < min(Self.warnedDays * Self.daySeconds, (end - begin) / 3) else { return nil }
        return "\(beginning) expires in \(Self.phrase(end - now)); expected a renewed one"
    }

    /// Why it is not valid at a time; nil if it is.
    package func failure(at now: Int64) -> String? {
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        if now > end { return "\(beginning) expired \(Self.phrase(now - end)) ago, \(consequence)" }
        if now < begin { return "\(beginning) becomes valid in \(Self.phrase(begin - now)), \(consequence)" }
        return nil
    }

    /// A duration in whole hours or, from one day on, whole days.
    private static func phrase(_ seconds: Int64) -> String {
        let isShort = seconds < daySeconds
        let (count, unit) = isShort ? (seconds / hourSeconds, "hour") : (seconds / daySeconds, "day")
        return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }

    /// The period of each name that ends last, ordered by name: a renewal replaces its predecessor.
    static func latest(_ periods: [ValidityPeriod]) -> [ValidityPeriod] {
        Dictionary(periods.map { ($0.name, $0) }) { $0.validity.upperBound < $1.validity.upperBound ? $1 : $0 }
            .values.sorted { $0.name < $1.name }
    }
}
