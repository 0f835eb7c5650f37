import Glibc

/// The one clock for deadlines: of connections, limits and pauses, and of all that is trusted for a time, such as published keys,
/// access tokens, decisions of a back end and keys of session tickets.
package enum MonotonicTime {
    /// Nanoseconds since the system started, with those for which it was suspended. CLOCK_MONOTONIC, and so Dispatch's time, leaves
    /// those out: a withdrawn key would be trusted for as much longer.
    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
