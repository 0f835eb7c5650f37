import HTTPServer
import Synchronization

/// A promised answer that closures can hold, which a value that is not copied cannot be by itself; the first who gives it
/// keeps the promise.
package final class HeldAnswer: Sendable {
    private let promise: Mutex<LateAnswer?>

    package init(_ promise: consuming LateAnswer) {
        self.promise = Mutex(promise)
    }

    /// Gives the answer, unless it was given.
    package func give(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        let promise = promise.withLock { $0.take() }
        promise?.give(answer)
    }
}
