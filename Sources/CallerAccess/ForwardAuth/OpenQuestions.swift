import OpenSSLCrypto

/// Questions whose answer is pending, and who waits for each: equal ones are asked once.
package struct OpenQuestions<Waiter: Sendable>: Sendable {
    /// What becomes of a question.
    package enum Fate: Hashable, Sendable {
        /// Ask it; its end is passed to all who wait.
        case ask
        /// An equal one was asked, whose end is passed to this one too.
        case wait
        /// The most that may wait already do.
        case refuse
    }

    private let maxWaiting: Int
    private var waiters: [SHA256Digest: [Waiter]] = [:]
    private var waiting = 0

    /// At most so many may wait in all.
    package init(maxWaiting: Int) {
        self.maxWaiting = maxWaiting
    }

    /// Adds a waiter for the answer to the question of this digest, unless too many wait.
    package mutating func add(_ waiter: Waiter, _ digest: SHA256Digest) -> Fate {
        guard waiting < maxWaiting else { return .refuse }
        waiting += 1
        let isAsked = waiters[digest] != nil
        waiters[digest, default: []].append(waiter)
        return isAsked ? .wait : .ask
    }

    /// Ends the question; returns who waited for it.
    package mutating func end(_ digest: SHA256Digest) -> [Waiter] {
        let ended = waiters.removeValue(forKey: digest) ?? []
        waiting -= ended.count
        return ended
    }
}
