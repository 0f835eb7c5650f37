import HTTPServer
import Locking

/// How long signatures take, those apart that are refused; a reading of the clock costs a thousandth of one.
package final class SignatureMeter: Sendable {
    private static let bounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        1_000_000_000,
    ]

    private let histogram = Guarded(DurationHistogram(bounds: bounds))

    /// What was measured so far.
    package var durations: DurationHistogram { histogram.withLock { $0 } }

    /// Gives what the closure gives, and notes how long that took.
    func measure<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let began = ServerTime.monotonicNow()
        let value = try body()
        let duration = ServerTime.nanoseconds(since: began)
        histogram.withLock { $0.add(duration) }
        return value
    }
}
