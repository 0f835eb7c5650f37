import OpenSSLCrypto

/// Questions whose answer is pending, and who waits for each: equal ones are asked once.
package struct OpenQuestions<Waiter: Sendable>: Sendable {
    private var waiters: [SHA256Digest: [Waiter]] = [:]

    package init() {}

    /// Adds a waiter for the answer to the question of this digest; returns whether it has to be asked.
    package mutating func add(_ waiter: Waiter, _ digest: SHA256Digest) -> Bool {
        let isAsked = waiters[digest] != nil
        waiters[digest, default: []].append(waiter)
        return !isAsked
    }

    /// Ends the question; returns who waited for it.
    package mutating func end(_ digest: SHA256Digest) -> [Waiter] { waiters.removeValue(forKey: digest) ?? [] }
}
