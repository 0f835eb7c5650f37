import Glibc

/// One reading of both clocks, shared by all that a loop does in one turn.
package struct ServerTime: Sendable {
    /// Nanoseconds of the monotonic clock, for deadlines and durations.
    package let monotonic: UInt64
    /// Seconds since the epoch, for dates and claims.
    package let epochSeconds: Int64

    /// A reading of both clocks.
    package init(monotonic: UInt64, epochSeconds: Int64) {
        self.monotonic = monotonic
        self.epochSeconds = epochSeconds
    }

    /// The clocks as they are now.
    package static func now() -> ServerTime {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return ServerTime(monotonic: monotonicNow(), epochSeconds: Int64(wall.tv_sec))
    }

    /// The monotonic clock alone, in nanoseconds.
    package static func monotonicNow() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Nanoseconds since that moment of the monotonic clock; 0 if it is in the future.
    package static func nanoseconds(since began: UInt64) -> UInt64 {
        let now = monotonicNow()
        return now > began ? now - began : 0
    }
}
