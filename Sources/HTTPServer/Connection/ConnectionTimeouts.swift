/// How long a connection may take over each of its steps, in nanoseconds.
package struct ConnectionTimeouts: Sendable {
    /// From the first byte of a request's head to its last, and as long again for its body.
    package var head: UInt64
    /// From an answer, or from the accept, to the next request's first byte.
    package var idle: UInt64
    /// For the peer to take the answers that were given at once, all of them.
    package var write: UInt64
    /// For the peer to read an error and end its side (RFC 9112 section 9.6).
    package var linger: UInt64
    /// For a next request on a persistent connection once the server drains.
    package var drainIdle: UInt64
    /// For the rest of a request once the server drains: its client has an answer within 3 s.
    package var drainHead: UInt64
    /// For the request of a connection beyond the limits, which holds a place that others want.
    package var overLimit: UInt64
    /// Since it was opened or used. For so long a connection is closed only after all others if memory runs short: its
    /// client may be about to ask.
    package var grace: UInt64 = 1_000_000_000

    /// Between two looks at streams that may be stalled.
    var stream: UInt64 { min(head, write) / 10 }

    /// Times in nanoseconds; the defaults are those of the configuration.
    package init(
        head: UInt64 = 10_000_000_000, idle: UInt64 = 75_000_000_000, write: UInt64 = 30_000_000_000,
        linger: UInt64 = 1_000_000_000, drainIdle: UInt64 = 1_000_000_000, drainHead: UInt64 = 2_500_000_000,
        overLimit: UInt64 = 1_000_000_000
    ) {
        (self.head, self.idle, self.write, self.linger) = (head, idle, write, linger)
        (self.drainIdle, self.drainHead, self.overLimit) = (drainIdle, drainHead, overLimit)
    }
}
