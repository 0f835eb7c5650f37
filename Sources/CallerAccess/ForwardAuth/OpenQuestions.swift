import OpenSSLCrypto

/// Questions whose answer is pending, and who waits for each: equal ones are asked once.
///
/// A request waits until the decision even if its client has gone, since the decision costs and records something. So the number
/// of waiters is bounded.
package struct OpenQuestions<Waiter: Sendable>: Sendable {
    private let most: Int
    private var waiters: [SHA256Digest: [Waiter]] = [:]
    private var count = 0

    /// With so many waiters at most, those that ask not counted.
    package init(most: Int) { self.most = most }

    /// Adds a waiter for the answer to the question of this digest; returns whether that is asked already, and who has to make
    /// way: the waiter that came first to the question with the most.
    package mutating func add(_ waiter: Waiter, _ digest: SHA256Digest) -> (isAsked: Bool, evicted: Waiter?) {
        guard waiters[digest] != nil else {
            waiters[digest] = []
            return (false, nil)
        }
        waiters[digest]?.append(waiter)
        count += 1
        guard count > most, let fullest = waiters.max(by: { $0.value.count < $1.value.count })?.key else {
            return (true, nil)
        }
        count -= 1
        return (true, waiters[fullest]?.removeFirst())
    }

    /// Ends the question; returns who waited for it, besides who asked.
    package mutating func end(_ digest: SHA256Digest) -> [Waiter] {
        let ended = waiters.removeValue(forKey: digest) ?? []
        count -= ended.count
        return ended
    }
}
