/// One metric with all its samples, as scrapers know it.
struct MetricFamily: Sendable {
    /// What its value does.
    enum Kind: Sendable {
        /// It only grows; its samples are named `NAME_total`.
        case counter
        case gauge
        /// Counts of durations up to some bounds.
        case histogram
        /// A constant 1 whose labels tell something; its sample is named `NAME_info`.
        case info
    }

    /// The base unit that a name ends with.
    enum Unit: String, Sendable {
        case seconds, bytes
    }

    /// Without what the kind adds to it.
    let name: String
    let kind: Kind
    let unit: Unit?
    /// What is measured, in one line.
    let help: String
    let samples: [MetricSample]

    /// The metric of a name that ends with its unit, if it has one.
    init(_ kind: Kind, _ name: String, in unit: Unit? = nil, _ help: String, _ samples: [MetricSample]) {
        (self.kind, self.name, self.unit, self.help, self.samples) = (kind, name, unit, help, samples)
    }
}

/// One value of a metric, told from its others by labels.
struct MetricSample: Sendable {
    /// A label's name, and its value: a word of this program or of its configuration, never of a request.
    typealias Label = (name: String, value: String)

    enum Value: Sendable {
        case number(MetricNumber)
        /// Counts up to each bound, not of those before, and beyond them all; and the sum of what was counted.
        case histogram(bounds: [MetricNumber], counts: [UInt64], sum: MetricNumber)
    }

    let labels: [Label]
    let value: Value

    /// A number.
    init(_ labels: [Label] = [], _ number: MetricNumber) { (self.labels, value) = (labels, .number(number)) }

    /// A count.
    init(_ labels: [Label] = [], _ count: UInt64) { self.init(labels, .whole(Int64(clamping: count))) }

    /// A count.
    init(_ labels: [Label] = [], _ count: Int) { self.init(labels, .whole(Int64(count))) }

    /// A yes or a no.
    init(_ labels: [Label] = [], _ isSo: Bool) { self.init(labels, .whole(isSo ? 1 : 0)) }

    /// A distribution.
    init(_ labels: [Label], bounds: [MetricNumber], counts: [UInt64], sum: MetricNumber) {
        (self.labels, value) = (labels, .histogram(bounds: bounds, counts: counts, sum: sum))
    }
}

/// A number that is written exactly: whole, or in billionths.
enum MetricNumber: Sendable, Equatable {
    case whole(Int64)
    /// So many billionths, such as nanoseconds of a second.
    case billionths(Int64)

    /// Nanoseconds as seconds.
    static func seconds(nanoseconds: UInt64) -> MetricNumber { .billionths(Int64(clamping: nanoseconds)) }

    /// The decimal text; a fraction has one digit at least where `isFloat` says that it is one.
    func text(isFloat: Bool = false) -> String {
        switch self {
        case .whole(let number): return isFloat ? "\(number).0" : "\(number)"
        case .billionths(let number):
            let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
            var digits = String(String(rest + 1_000_000_000).dropFirst())
            while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
            return "\(number < 0 ? "-" : "")\(whole).\(digits)"
        }
    }
}
