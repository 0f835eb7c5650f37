/// So many in a second of the monotonic clock, which begins with the first of them.
package struct SecondQuota {
    private let most: Int
    private var taken = 0
    private var endsAt: UInt64 = 0

    /// So many in each second.
    package init(_ most: Int) { self.most = most }

    /// Takes one at `now`, in nanoseconds; false if the second has had all.
    package mutating func take(at now: UInt64) -> Bool {
        if now >= endsAt { (taken, endsAt) = (0, now + 1_000_000_000) }
        guard taken < most else { return false }
        taken += 1
        return true
    }
}

/// How often the operator is told of what goes wrong: of each kind apart, so that whoever knocks at the port of TLS with
/// anything else does not hide whose certificate was refused.
struct NoticeQuotas {
    /// Of the server itself.
    var server = SecondQuota(1)
    /// Of handshakes that failed.
    var handshakes = SecondQuota(1)
    /// Of certificates that were refused.
    var certificates = SecondQuota(10)
    /// Of connections that were ended.
    var connections = SecondQuota(1)
}
