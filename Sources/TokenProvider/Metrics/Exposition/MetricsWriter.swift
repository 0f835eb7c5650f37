import FleetEngineToken

/// Writes metrics in one of the two formats.
struct MetricsWriter {
    private let format: MetricsFormat
    /// When the counters began, in seconds since the epoch.
    private let created: Int64
    private var text = ""

    private init(_ format: MetricsFormat, created: Int64) {
        (self.format, self.created) = (format, created)
    }

    static func write(_ families: [MetricFamily], as format: MetricsFormat, created: Int64) -> [UInt8] {
        var writer = MetricsWriter(format, created: created)
        for family in families where !family.samples.isEmpty { writer.write(family) }
        if format == .openMetrics { writer.text += "# EOF\n" }
        return Array(writer.text.utf8)
    }

    private mutating func write(_ family: MetricFamily) {
        // In Prometheus' format a metric has the same name as its samples.
        let name = format == .prometheus ? family.name + family.kind.suffix : family.name
        text += "# TYPE \(name) \(family.kind.name(in: format))\n"
        if format == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit.rawValue)\n" }
        text += "# HELP \(name) \(escapedHelp(family.help))\n"
        for sample in family.samples {
            switch sample.value {
            case .number(let number): line(family.name + family.kind.suffix, sample.labels, number.text())
            case .histogram(let bounds, let counts, let sum):
                writeHistogram(family.name, sample.labels, bounds, counts, sum)
            }
            if format == .openMetrics, family.kind.isCounted {
                line("\(family.name)_created", sample.labels, "\(created).0")
            }
        }
    }

    private mutating func writeHistogram(
        _ name: String, _ labels: [MetricSample.Label], _ bounds: [MetricNumber], _ counts: [UInt64],
        _ sum: MetricNumber
    ) {
        var total: UInt64 = 0
        let texts = bounds.map { $0.text(isFloat: true) } + ["+Inf"]
        for (bound, count) in zip(texts, counts) {
            total += count
            line("\(name)_bucket", labels + [("le", bound)], "\(total)")
        }
        line("\(name)_count", labels, "\(total)")
        line("\(name)_sum", labels, sum.text())
    }

    private mutating func line(_ name: String, _ labels: [MetricSample.Label], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.name)=\"\(Self.escapedValue($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// Escapes backslashes, line feeds and, in OpenMetrics, quotation marks.
    private func escapedHelp(_ help: String) -> String {
        format == .openMetrics ? Self.escapedValue(help) : Self.escaped(help, besides: nil)
    }

    private static func escapedValue(_ value: String) -> String { escaped(value, besides: "\"") }

    private static func escaped(_ value: String, besides quotation: Unicode.Scalar?) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case quotation: escaped.append(contentsOf: ["\\", scalar])
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension MetricFamily.Kind {
    /// What a sample's name adds to its metric's name.
    fileprivate var suffix: String {
        switch self {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }

    /// Whether its values begin at 0 at a certain time.
    fileprivate var isCounted: Bool { self == .counter || self == .histogram }

    fileprivate func name(in format: MetricsFormat) -> String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        // The older format does not have this kind.
        case .info: format == .openMetrics ? "info" : "gauge"
        }
    }
}
