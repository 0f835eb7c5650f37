/// The two text formats of metrics.
enum MetricsFormat: CaseIterable, Sendable {
    /// Prometheus' text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.0.
    case openMetrics

    /// `Content-Type`, from the format's specification.
    var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    var type: (main: String, sub: String) {
        switch self {
        case .prometheus: ("text", "plain")
        case .openMetrics: ("application", "openmetrics-text")
        }
    }

    var version: String {
        switch self {
        case .prometheus: "0.0.4"
        case .openMetrics: "1.0.0"
        }
    }

    /// The format with the highest weight in the values of `Accept` (RFC 9110 section 12.5.1). OpenMetrics only if it is
    /// named: a client that accepts anything, or neither format, gets Prometheus' format, which every client reads.
    init(accepting values: [[UInt8]]) {
        let ranges = values.flatMap { value in
            String(decoding: value, as: UTF8.self).split(separator: ",").compactMap { MediaRange($0) }
        }
        let preference = { (format: MetricsFormat) in
            ranges.compactMap { range in range.specificity(for: format).map { (specificity: $0, weight: range.weight) }
            }
            .max { $0.specificity < $1.specificity }
        }
        guard let open = preference(.openMetrics), open.weight > 0, open.specificity >= MediaRange.named else {
            self = .prometheus
            return
        }
        self = open.weight >= preference(.prometheus)?.weight ?? 0 ? .openMetrics : .prometheus
    }
}
