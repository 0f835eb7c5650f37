/// The two texts in which metrics are told.
enum MetricsFormat: CaseIterable, Sendable {
    /// Prometheus' text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.0.
    case openMetrics

    /// `Content-Type`, as each format's specification has it.
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

    /// The one that is wanted most by the values of `Accept` (RFC 9110 section 12.5.1). OpenMetrics only for who names it:
    /// whoever takes anything, or nothing that there is, gets what anybody can read.
    init(accepting values: [[UInt8]]) {
        let ranges = values.flatMap { value in
            String(decoding: value, as: UTF8.self).split(separator: ",").compactMap { MediaRange($0) }
        }
        let wish = { (format: MetricsFormat) in
            ranges.compactMap { range in range.specificity(for: format).map { (specificity: $0, weight: range.weight) }
            }
            .max { $0.specificity < $1.specificity }
        }
        guard let open = wish(.openMetrics), open.weight > 0, open.specificity >= MediaRange.named else {
            self = .prometheus
            return
        }
        self = open.weight >= wish(.prometheus)?.weight ?? 0 ? .openMetrics : .prometheus
    }
}
