/// One metric with all its samples.
struct MetricFamily: Sendable {
    enum Kind: Sendable {
        /// It never decreases; its samples are named `NAME_total`.
        case counter
        case gauge
        /// Durations, counted in buckets.
        case histogram
        /// A constant 1 whose labels hold the information; its sample is named `NAME_info`.
        case info
    }

    /// The unit that a name ends with.
    enum Unit: String, Sendable {
        case seconds, bytes
    }

    /// Without the suffix that the kind adds.
    let name: String
    let kind: Kind
    let unit: Unit?
    /// What is measured, in one line.
    let help: String
    let samples: [MetricSample]

    /// The name must end with the unit, if there is one.
    init(_ kind: Kind, _ name: String, in unit: Unit? = nil, _ help: String, _ samples: [MetricSample]) {
        (self.kind, self.name, self.unit, self.help, self.samples) = (kind, name, unit, help, samples)
    }
}

extension MetricFamily {
    /// With one sample that has no labels, or none for nil.
    init(_ kind: Kind, _ name: String, in unit: Unit? = nil, _ help: String, _ value: (some MetricValue)?) {
        self.init(kind, name, in: unit, help, value.map { [MetricSample([], $0)] } ?? [])
    }
}

/// Metrics of this program alone, whose names have a prefix.
extension MetricFamily {
    private static let prefix = "token_provider_"

    static func counter(_ name: String, _ help: String, _ samples: [MetricSample]) -> MetricFamily {
        MetricFamily(.counter, prefix + name, help, samples)
    }

    static func counter(_ name: String, _ help: String, _ value: (some MetricValue)?) -> MetricFamily {
        MetricFamily(.counter, prefix + name, help, value)
    }

    static func gauge(_ name: String, in unit: Unit? = nil, _ help: String, _ samples: [MetricSample]) -> MetricFamily {
        MetricFamily(.gauge, prefix + name, in: unit, help, samples)
    }

    static func gauge(_ name: String, in unit: Unit? = nil, _ help: String, _ value: (some MetricValue)?)
        -> MetricFamily
    {
        MetricFamily(.gauge, prefix + name, in: unit, help, value)
    }

    /// Durations in seconds.
    static func histogram(_ name: String, _ help: String, _ samples: [MetricSample]) -> MetricFamily {
        MetricFamily(.histogram, prefix + name, in: .seconds, help, samples)
    }
}

/// One value of a metric, with its labels.
struct MetricSample: Sendable {
    /// A label's name and value. The value is from this program or its configuration, never from a request.
    typealias Label = (name: String, value: String)

    enum Measurement: Sendable {
        case number(MetricNumber)
        /// The count of each bucket alone, the last one beyond all bounds, and the sum of all values.
        case histogram(bounds: [MetricNumber], counts: [UInt64], sum: MetricNumber)
    }

    let labels: [Label]
    let value: Measurement

    init(_ labels: [Label] = [], _ value: some MetricValue) {
        (self.labels, self.value) = (labels, .number(value.number))
    }

    init(_ labels: [Label], bounds: [MetricNumber], counts: [UInt64], sum: MetricNumber) {
        (self.labels, value) = (labels, .histogram(bounds: bounds, counts: counts, sum: sum))
    }
}

/// What a sample can have as its number.
protocol MetricValue {
    var number: MetricNumber { get }
}

extension Int: MetricValue {
    var number: MetricNumber { .whole(Int64(self)) }
}

extension Int64: MetricValue {
    var number: MetricNumber { .whole(self) }
}

extension UInt64: MetricValue {
    var number: MetricNumber { .whole(Int64(clamping: self)) }
}

extension Bool: MetricValue {
    var number: MetricNumber { .whole(self ? 1 : 0) }
}

/// A number that is written exactly: whole, or in billionths.
enum MetricNumber: MetricValue, Sendable, Equatable {
    case whole(Int64)
    /// Billionths, such as nanoseconds as part of a second.
    case billionths(Int64)

    var number: MetricNumber { self }

    /// Nanoseconds as seconds.
    static func seconds(nanoseconds: UInt64) -> MetricNumber { .billionths(Int64(clamping: nanoseconds)) }

    /// The decimal text. A whole number gets a fraction if `isFloat`.
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
