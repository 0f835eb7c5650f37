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

    /// The format with the highest weight in the values of `Accept` (RFC 9110 section 12.5.1). OpenMetrics only if it is
    /// named: a client that accepts anything, or neither format, gets Prometheus' format, which every client reads.
    init(accepting values: [[UInt8]]) {
        var weights: [Substring: Double] = [:]
        let ranges = values.flatMap { String(decoding: $0, as: UTF8.self).lowercased().split(separator: ",") }
        for parts in ranges.map({ $0.filter { !" \t\"".contains($0) }.split(separator: ";") }) {
            guard let type = parts.first, let weight = Self.weight(parts.dropFirst()) else { continue }
            let version = parts.first { $0.hasPrefix("version=") }?.dropFirst(8)
            guard version == nil || version == (type == "text/plain" ? "0.0.4" : "1.0.0") else { continue }
            weights[type] = max(weights[type] ?? 0, weight)
        }
        let open = weights["application/openmetrics-text"] ?? 0
        let text = weights["text/plain"] ?? weights["text/*"] ?? weights["*/*"] ?? 0
        self = open > 0 && open >= text ? .openMetrics : .prometheus
    }

    /// From 0 to 1, with at most three decimals; nil if it is malformed.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Double? {
        guard let text = parameters.first(where: { $0.hasPrefix("q=") })?.dropFirst(2) else { return 1 }
        guard ["0", "1", "0.", "1."].contains(text.prefix(2)), text.dropFirst(2).allSatisfy(\.isWholeNumber),
            text.utf8.count <= 5, let weight = Double(text), weight <= 1
        else { return nil }
        return weight
    }
}
