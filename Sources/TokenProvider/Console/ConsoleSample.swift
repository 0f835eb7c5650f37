import Concurrency
import Dispatch
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

/// Samples of the last 15 minutes, taken by a thread of its own: no request waits for one.
final class ConsoleHistory: Sendable {
    /// Seconds between two samples.
    static let interval = 5
    /// So many samples cover 15 minutes.
    static let maxCount = 15 * 60 / interval + 1

    /// The values of each, the oldest first; names are not stored.
    private let samples = Guarded<[[Int64]]>([])
    private let queue = DispatchQueue(label: "console-history", qos: .utility)
    private let sample: @Sendable () -> [Int64]

    /// A history of what `sample` returns; the first value is the time.
    init(of sample: @escaping @Sendable () -> [Int64]) { self.sample = sample }

    /// Takes a sample now and in every interval, until the last reference to the history is released.
    func start() { queue.async { [weak self] in self?.takeSample() } }

    /// The samples after a time in milliseconds of the monotonic clock, the oldest first.
    func samples(after time: Int64) -> [[Int64]] {
        samples.withLock { samples in Array(samples.drop { $0.first ?? 0 <= time }) }
    }

    /// Adds a sample, in place of the oldest if there are too many.
    func add(_ sample: [Int64]) {
        samples.withLock { samples in
            if samples.count == Self.maxCount { samples.removeFirst() }
            samples.append(sample)
        }
    }

    private func takeSample() {
        add(sample())
        queue.asyncAfter(deadline: .now() + .seconds(Self.interval)) { [weak self] in self?.takeSample() }
    }
}
