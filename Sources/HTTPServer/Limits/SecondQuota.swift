/// Allows so many in a second of the monotonic clock, which begins with the first of them.
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

/// How often problems are reported to the operator: each kind has its own quota, so that clients that fail to speak TLS
/// do not hide refused certificates.
struct NoticeQuotas {
    /// Problems of the server itself.
    var server = SecondQuota(1)
    /// Headers of proxies.
    var proxies = SecondQuota(1)
    /// Failed handshakes.
    var handshakes = SecondQuota(1)
    /// Refused certificates.
    var certificates = SecondQuota(10)
    /// Connections that the server ended.
    var connections = SecondQuota(1)
}
