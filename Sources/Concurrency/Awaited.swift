import Dispatch

/// What a completion is called with, for callers that wait, such as commands.
package final class Awaited<Value: Sendable>: Sendable {
    private let state = Guarded<Value?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts what calls the completion, once and on any thread.
    package init(start: (@escaping @Sendable (Value) -> Void) -> Void) {
        start { [self] value in
            state.withLock { $0 = value }
            isDone.signal()
        }
    }

    /// Blocks until the completion was called, or until this time; nil in the second case. Call it once.
    package func value(before end: DispatchTime = .distantFuture) -> Value? {
        isDone.wait(timeout: end) == .success ? state.withLock { $0 } : nil
    }
}
