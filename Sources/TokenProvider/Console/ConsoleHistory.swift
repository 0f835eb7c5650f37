import Concurrency
import Dispatch
import HTTPServer

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
