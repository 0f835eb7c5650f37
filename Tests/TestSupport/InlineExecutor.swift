/// Runs tasks at once, on the thread that starts or resumes them: after a step of a test, all that follows from it has happened.
package final class InlineExecutor: TaskExecutor {
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Starts an async function, and gives what it returns to the closure: before this returns, unless the function waits.
    package static func start<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value, _ end: @escaping @Sendable (Value) -> Void
    ) {
        Task(executorPreference: InlineExecutor()) { end(await body()) }
    }

    /// What an async function returns; nil if it waits.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
        let result = Locked<Value?>(nil)
        start(body) { value in result.withLock { $0 = value } }
        return result.withLock { $0 }
    }
}
