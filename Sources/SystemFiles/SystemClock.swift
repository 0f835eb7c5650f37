import Glibc

/// The clock that tells the time of day. It can be set, so it measures no duration.
package enum SystemClock {
    /// Now, in seconds and nanoseconds since the epoch.
    package static func now() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }
}
