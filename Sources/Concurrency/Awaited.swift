import Dispatch

/// What a completion is called with, or what a task ends with, for callers that wait, such as commands. Never wait for it in a
/// task: tasks share few threads.
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

    /// Starts what throws or returns, in a task.
    package convenience init<Success, Failure>(
        _ body: @escaping @Sendable () async throws(Failure) -> Success
    ) where Value == Result<Success, Failure> {
        self.init { done in
            Task { done(await Result(awaiting: body)) }
        }
    }

    /// Blocks until the completion was called, or until this time; nil in the second case. Call it once.
    package func value(before end: DispatchTime = .distantFuture) -> Value? {
        isDone.wait(timeout: end) == .success ? state.withLock { $0 } : nil
    }
}

extension Result where Success: Sendable {
    /// What a function returns or throws.
    package init(awaiting body: @Sendable () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
