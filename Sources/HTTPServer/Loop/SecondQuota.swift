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
