import Concurrency
import Glibc

/// The time, the waiting and the randomness of remote signing, so that tests need none of them.
package struct SigningClock: Sendable {
    /// The time since an unspecified moment; it never goes back.
    package let monotonic: @Sendable () -> Duration
    /// Seconds since the epoch.
    package let epochSeconds: @Sendable () -> Int64
    /// Returns after this time, or when the task is cancelled.
    let sleep: @Sendable (Duration) async -> Void
    /// A number from 0 up to 1, for jitter.
    let random: @Sendable () -> Double
    /// Runs tasks; nil for the usual threads.
    var executor: (any TaskExecutor)?

    /// The system's clocks.
    package static let system = SigningClock(
        monotonic: { .nanoseconds(Int64(clamping: MonotonicTime.now())) },
        epochSeconds: { Int64(time(nil)) }, sleep: { try? await Task.sleep(for: $0) },
        random: { Double.random(in: 0..<1) })

    /// What is waited for, or nil if that takes longer than this. It goes on then.
    func limit<Value: Sendable, Failure: Error>(
        _ time: Duration, _ wait: @escaping @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure>? {
        let (ends, end) = AsyncStream.makeStream(of: Result<Value, Failure>?.self, bufferingPolicy: .bufferingOldest(1))
        Task(executorPreference: executor) { end.yield(await Result(awaiting: wait)) }
        let timer = Task(executorPreference: executor) {
            await sleep(time)
            end.yield(nil)
        }
        defer { timer.cancel() }
        for await first in ends { return first }
        return nil
    }
}

extension Duration {
    /// Whole seconds, rounded up: what `Retry-After` can say (RFC 9110 section 10.2.3).
    var wholeSeconds: Int {
        let (seconds, rest) = components
        return Int(clamping: rest > 0 ? seconds + 1 : seconds)
    }
}
