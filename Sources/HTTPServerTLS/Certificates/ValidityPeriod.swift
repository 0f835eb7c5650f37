/// From when and until when something in a file is valid, with the messages about its end.
package struct ValidityPeriod: Sendable {
    /// The name that distinguishes it from others of its kind.
    package let name: String
    /// The first and the last second, since the epoch.
    package let validity: ClosedRange<Int64>
    /// When it is to be renewed.
    package let bound: RenewalBound
    /// The start of the messages: the file, and what expires.
    private let beginning: String
    /// The effect before and after the period.
    private let consequence: String

    init(
        _ name: String, _ validity: ClosedRange<Int64>, warning bound: RenewalBound, of beginning: String,
        otherwise consequence: String
    ) {
        (self.name, self.validity, self.bound) = (name, validity, bound)
        (self.beginning, self.consequence) = (beginning, consequence)
    }

    /// The seconds left, and whether it is time for a renewal.
    package func left(at now: Int64) -> (seconds: Int64, isDue: Bool) {
        let left = validity.upperBound - now
        return (left, bound.includes(left, of: validity.upperBound - validity.lowerBound))
    }

    package static let daySeconds: Int64 = 86_400
    private static let hourSeconds: Int64 = 3600

    /// The message if it is not valid or expires soon, at a time in seconds since the epoch; otherwise nil.
    package func warning(at now: Int64) -> String? {
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        if let failure = failure(at: now) { return failure }
        guard bound.includes(end - now, of: end - begin) else { return nil }
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

/// How much time is left when something should have been renewed. The alerts of `config/prometheus/rules.yaml` have the same
/// bounds.
package struct RenewalBound: Sendable {
    package let seconds: Int64
    /// One part in this many of the lifetime, so that short lifetimes are not always within the bound; nil for any.
    package let part: Int64?

    package init(seconds: Int64, part: Int64? = nil) { (self.seconds, self.part) = (seconds, part) }

    package static let certificate = RenewalBound(seconds: 14 * ValidityPeriod.daySeconds, part: 4)
    package static let ocspResponse = RenewalBound(seconds: 2 * ValidityPeriod.daySeconds, part: 4)
    package static let clientAuthority = RenewalBound(seconds: 14 * ValidityPeriod.daySeconds)
    package static let revocationList = RenewalBound(seconds: 3600, part: 4)
    package static let apiKey = RenewalBound(seconds: 7 * ValidityPeriod.daySeconds)

    /// Whether it is time for a renewal with so many seconds left of a lifetime.
    package func includes(_ left: Int64, of lifetime: Int64 = .max) -> Bool {
        left < seconds && left < (part.map { lifetime / $0 } ?? .max)
    }
}
