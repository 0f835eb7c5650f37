import OpenSSLCrypto

/// Questions whose answer is on its way, and who waits for each: equal ones are asked once.
package struct OpenQuestions<Waiter: Sendable>: Sendable {
    /// What becomes of a question.
    package enum Fate: Hashable, Sendable {
        /// It is to be asked; its end tells all who wait.
        case ask
        /// It was asked, and its end tells this one too.
        case wait
        /// As many wait as may.
        case refuse
    }

    private let maxWaiting: Int
    private var waiters: [SHA256Digest: [Waiter]] = [:]
    private var waiting = 0

    /// Questions for whose answers so many may wait in all.
    package init(maxWaiting: Int) {
        self.maxWaiting = maxWaiting
    }

    /// Takes who wants to know the answer to the question of this digest, unless too many wait.
    package mutating func add(_ waiter: Waiter, _ digest: SHA256Digest) -> Fate {
        guard waiting < maxWaiting else { return .refuse }
        waiting += 1
        let isAsked = waiters[digest] != nil
        waiters[digest, default: []].append(waiter)
        return isAsked ? .wait : .ask
    }

    /// The question has an end; who waited for it.
    package mutating func end(_ digest: SHA256Digest) -> [Waiter] {
        let ended = waiters.removeValue(forKey: digest) ?? []
        waiting -= ended.count
        return ended
    }
}
