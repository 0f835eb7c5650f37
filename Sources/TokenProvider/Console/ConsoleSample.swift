import FleetEngineToken
import HTTPServer
import TokenService

/// The daemon's figures at one moment: counters since the start, and levels. The page calculates rates from two samples.
struct ConsoleSample {
    typealias Figure = (name: String, value: Int64)

    /// The upper bounds of the durations, in microseconds; one more count is of those beyond all bounds.
    let durationBounds: [Int64]
    /// Names and values, in an order that never changes. The first is the time in milliseconds of the monotonic clock.
    let figures: [Figure]

    var values: [Int64] { figures.map(\.value) }

    /// The figures as they are now.
    init(_ metrics: DaemonMetrics, at time: ServerTime) {
        let statistics = metrics.server.statistics
        let durations = Self.durations(statistics)
        durationBounds = durations.bounds.map { Int64(clamping: $0 / 1000) }
        figures =
            Self.figures(metrics, statistics, at: time)
            + durations.counts.enumerated().map { index, count in
                (name: "duration.\(index)", value: Int64(clamping: count))
            }
    }

    private static func figures(
        _ metrics: DaemonMetrics, _ statistics: ServerStatistics, at time: ServerTime
    ) -> [Figure] {
        var figures: [Figure] = [("time", Int64(clamping: time.monotonic / 1_000_000))]
        figures += tokens(metrics, statistics) + process(metrics) + kinds(statistics)
        figures += metrics.problems(statistics).map { (name: "problem.\($0.code)", value: Int64(clamping: $0.count)) }
        return figures
    }

    private static func tokens(_ metrics: DaemonMetrics, _ statistics: ServerStatistics) -> [Figure] {
        let cache = metrics.retained.cache.statistics
        let remote = metrics.retained.remoteMint.signatures
        return [
            ("cached", Int64(clamping: statistics.count(of: .reused))),
            ("minted", Int64(clamping: statistics.count(of: .minted))),
            ("answered", Int64(clamping: statistics.count(of: .answered))),
            ("signed_here", Int64(max(0, cache.mints - remote))), ("signed_remotely", Int64(remote)),
            ("cache_entries", Int64(cache.entries)), ("cache_bytes", Int64(cache.bytes)),
        ]
    }

    /// CPU time is in milliseconds, memory in bytes.
    private static func process(_ metrics: DaemonMetrics) -> [Figure] {
        let process = ProcessMetrics()
        return [
            ("connections", Int64(metrics.server.openConnections)), ("cpu", process.processorTime / 1_000_000),
            ("memory", Int64(process.residentBytes ?? 0)),
        ]
    }

    /// Tokens that were given, by kind.
    private static func kinds(_ statistics: ServerStatistics) -> [Figure] {
        TokenKind.allCases.map { kind in
            let count = [RequestCategory.query(kind), .path(kind)].reduce(UInt64(0)) { sum, category in
                let number = Int(category.number)
                return sum + statistics.answers[number][.ok, default: 0]
                    + statistics.streamAnswers[number][.ok, default: 0]
            }
            return (name: "kind.\(kind.rawValue)", value: Int64(clamping: count))
        }
    }

    /// Of token requests, whatever their answer.
    private static func durations(_ statistics: ServerStatistics) -> (bounds: [UInt64], counts: [UInt64]) {
        let others: Set<RequestCategory> = [.none, .health, .other]
        let histograms = RequestCategory.all.filter { !others.contains($0) }.map {
            statistics.durations[Int($0.number)]
        }
        guard let first = histograms.first else { return ([], []) }
        return (
            first.bounds, first.counts.indices.map { index in histograms.reduce(0) { $0 + $1.counts[index] } }
        )
    }
}
