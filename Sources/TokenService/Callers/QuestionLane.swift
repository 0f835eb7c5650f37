import CallerAccess
import Dispatch
import Locking

/// Questions to a back end about callers without a name, from addresses with too many failures: one at a time for each
/// address, and with a pause after a refusal. So guesses stay few, and a caller is not refused for a neighbour's.
package final class QuestionLane: Sendable {
    /// Asks, and then calls back with whether the back end refused.
    typealias Question = @Sendable (_ done: @escaping @Sendable (_ isRefused: Bool) -> Void) -> Void

    /// At most ten guesses of an address in a second.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "questions")
    private let waiting = Guarded(FairQueue<Question>(mostOfCaller: 64, mostInAll: 4096))

    /// Has a question asked in its turn; false if too many wait.
    func add(_ caller: RateLimitKey, _ question: @escaping Question) -> Bool {
        guard waiting.withLock({ $0.add(question, of: caller) }) else { return false }
        ask()
        return true
    }

    private func ask() {
        while let next = waiting.withLock({ $0.next() }) {
            next.work { isRefused in
                self.queue.asyncAfter(deadline: isRefused ? .now() + Self.pause : .now()) {
                    self.waiting.withLock { $0.end(next.caller) }
                    self.ask()
                }
            }
        }
    }
}
