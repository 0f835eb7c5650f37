import CallerAccess
import Concurrency
import Dispatch
import HTTPServer

/// Questions to a back end about callers without a name, from addresses with too many failures: a few at a time for each
/// address, of different connections in turns (`WaitingRequests`), each with a pause after a refusal. So guesses stay few, and a
/// caller waits for few of its neighbours' but is not refused for them.
package final class QuestionLane: Sendable {
    /// Asks, and then calls back with whether the back end refused.
    typealias Ask = @Sendable (_ done: @escaping @Sendable (_ isRefused: Bool) -> Void) -> Void

    struct Question: Sendable {
        let ask: Ask
        /// Called instead if too many of its address wait, and most of them on its connection.
        let refuse: @Sendable () -> Void
    }

    /// After a refusal. One client guesses ten times a second.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// While many connections of an address wait, so many questions at a time that guesses, which its other limits bound, do
    /// not fill the line for its callers.
    private static let atOnce = 10

    private let queue = DispatchQueue(label: "questions")
    /// Bounded, since connections that wait for answers are not closed when memory runs short.
    private let waiting = Guarded(WaitingRequests<Question>(mostOfAddress: 64, mostInAll: 4096, atOnce: atOnce))

    /// Has a question about this address's request asked in its turn.
    func add(_ request: LateAnswer, of address: RateLimitKey, _ question: Question) {
        let evicted = waiting.withLock { $0.add(request, of: address, question) }
        evicted?.refuse()
        ask()
    }

    private func ask() {
        while let next = waiting.withLock({ $0.next() }) {
            next.work.ask { isRefused in
                self.queue.asyncAfter(deadline: isRefused ? .now() + Self.pause : .now()) {
                    self.waiting.withLock { $0.end(next) }
                    self.ask()
                }
            }
        }
    }
}
