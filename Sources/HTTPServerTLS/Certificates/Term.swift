/// From when and until when something counts that a file holds, and what is told of that.
package struct Term: Sendable {
    /// What it is told from others of its kind by.
    package let name: String
    /// The first and the last second, since the epoch.
    package let validity: ClosedRange<Int64>
    /// What the sentences begin with: the file, and whose validity it is.
    private let beginning: String
    /// What that means before and after.
    private let consequence: String

    init(_ name: String, _ validity: ClosedRange<Int64>, of beginning: String, otherwise consequence: String) {
        (self.name, self.validity, self.beginning, self.consequence) = (name, validity, beginning, consequence)
    }

    /// Seconds of a day.
    package static let daySeconds: Int64 = 86_400
    private static let hourSeconds: Int64 = 3600
    /// Days before its end from which on something should have been renewed; for what lives short, a third of its life.
    private static let warnedDays: Int64 = 14

    /// What is allowed but will not work, or not for long, at a time in seconds since the epoch; nil if nothing is wrong.
    package func warning(at now: Int64) -> String? {
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        if let failure = failure(at: now) { return failure }
        guard end - now < min(Self.warnedDays * Self.daySeconds, (end - begin) / 3) else { return nil }
        return sentence("ends in", end - now, "; expected a renewed one")
    }

    /// Why it does not count at a time; nil if it does.
    package func failure(at now: Int64) -> String? {
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        if now > end { return sentence("has been over for", now - end, ", \(consequence)") }
        if now < begin { return sentence("begins in", begin - now, ", \(consequence)") }
        return nil
    }

    private func sentence(_ predicate: String, _ seconds: Int64, _ rest: String) -> String {
        let isShort = seconds < Self.daySeconds
        let time = isShort ? "\(seconds / Self.hourSeconds) hours" : "\(seconds / Self.daySeconds) days"
        return "\(beginning) \(predicate) \(time)\(rest)"
    }

    /// Of each name the one that ends last, in the order of the names: what was renewed stands in for the former.
    static func latest(_ terms: [Term]) -> [Term] {
        Dictionary(terms.map { ($0.name, $0) }) { $0.validity.upperBound < $1.validity.upperBound ? $1 : $0 }
            .values.sorted { $0.name < $1.name }
    }
}
