import CallerAccess
import Dispatch
import HTTPServer
import Locking

/// Questions to a back end about callers without a name, from addresses with too many failures: one at a time for each
/// address, in turns (`FairQueue`), and with a pause after a refusal. So guesses stay few, and a caller waits for few of its
/// neighbours' but is not refused for them.
package final class QuestionLane: Sendable {
    /// Asks, and then calls back with whether the back end refused.
    typealias Ask = @Sendable (_ done: @escaping @Sendable (_ isRefused: Bool) -> Void) -> Void

    struct Question: Sendable {
        let ask: Ask
        /// Called instead if too many of its address wait, and most of them on its connection.
        let refuse: @Sendable () -> Void
    }

    /// At most ten guesses in a second of each connection that waits, and a hundred of an address: more than its other limits
    /// allow it, so that guesses do not fill the line for its callers.
    private static func pause(among connections: Int) -> DispatchTimeInterval {
        .milliseconds(100 / min(max(connections, 1), 10))
    }

    private let queue = DispatchQueue(label: "questions")
    /// Bounded, since connections that wait for answers are not closed when memory runs short.
    private let waiting = Guarded(FairQueue<Question>(mostOfAddress: 64, mostInAll: 4096))

    /// Has a question about this address's request asked in its turn.
    func add(_ request: AwaitingRequest, of address: RateLimitKey, _ question: Question) {
        let evicted = waiting.withLock { $0.add(request, of: address, question) }
        evicted?.refuse()
        ask()
    }

    private func ask() {
        while let next = waiting.withLock({ $0.next() }) {
            next.work.ask { isRefused in
                let pause = Self.pause(among: self.waiting.withLock { $0.connections(of: next.address) })
                self.queue.asyncAfter(deadline: isRefused ? .now() + pause : .now()) {
                    self.waiting.withLock { $0.end(next.address) }
                    self.ask()
                }
            }
        }
    }
}
