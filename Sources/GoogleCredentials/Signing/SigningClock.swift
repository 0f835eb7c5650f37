import Concurrency
import Dispatch
import Glibc

/// The time, the waiting and the randomness of remote signing, so that tests need none of them.
package struct SigningClock: Sendable {
    /// The time since an unspecified moment; it never goes back.
    package let monotonic: @Sendable () -> Duration
    /// Seconds since the epoch.
    package let epochSeconds: @Sendable () -> Int64
    /// Calls the closure once after this time, on any thread.
    package let after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// A number from 0 up to 1, for jitter.
    package let random: @Sendable () -> Double

    /// A clock made of these closures.
    package init(
        monotonic: @escaping @Sendable () -> Duration, epochSeconds: @escaping @Sendable () -> Int64,
        after: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        (self.monotonic, self.epochSeconds, self.after, self.random) = (monotonic, epochSeconds, after, random)
    }

    /// The system's clocks; closures are called later on a queue of their own.
    package static let system = SigningClock(
        monotonic: { .nanoseconds(Int64(clamping: MonotonicTime.now())) },
        epochSeconds: { Int64(time(nil)) },
        after: { delay, body in
            let nanoseconds = Int((max(.zero, delay) / .nanoseconds(1)).rounded(.up))
            queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body)
        },
        random: { Double.random(in: 0..<1) })

    private static let queue = DispatchQueue(label: "remote-signing")
}

extension Duration {
    /// Whole seconds, rounded up: what `Retry-After` can say (RFC 9110 section 10.2.3).
    var wholeSeconds: Int {
        let (seconds, rest) = components
        return Int(clamping: rest > 0 ? seconds + 1 : seconds)
    }
}
