import Concurrency
import HTTPServer
import Synchronization

/// Measures how long successful signatures take. Reading the clock costs a thousandth of one.
package final class SignatureMeter: Sendable {
    private static let bounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        1_000_000_000,
    ]

    private let histogram = Guarded(DurationHistogram(bounds: bounds))
    private let batchedCount = Atomic(0)

    /// All measurements since the start.
    package var durations: DurationHistogram { histogram.withLock { $0 } }

    /// Signatures that were made together with others.
    package var batched: Int { batchedCount.load(ordering: .relaxed) }

    /// Returns the closure's result and counts its duration; an error is not counted.
    func measure<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let began = MonotonicTime.now()
        let value = try body()
        add(since: began)
        return value
    }

    /// Counts signatures that were made at once, each with its part of the time since this monotonic one, in nanoseconds.
    func add(_ count: Int, since began: UInt64) {
        guard count > 0 else { return }
        batchedCount.add(count, ordering: .relaxed)
        let duration = ServerTime.nanoseconds(since: began) / UInt64(count)
        histogram.withLock { histogram in
            for _ in 0..<count { histogram.add(duration) }
        }
    }

    /// Counts a signature that was begun at this monotonic time, in nanoseconds.
    func add(since began: UInt64) {
        let duration = ServerTime.nanoseconds(since: began)
        histogram.withLock { $0.add(duration) }
    }
}
