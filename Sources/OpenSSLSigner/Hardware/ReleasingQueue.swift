import Concurrency
import Dispatch

extension DispatchQueue {
    /// Does the work, releases all that it refers to, and then calls `completion`. So a caller that waits may end the
    /// process: no thread still ends a module then, which would run into the process's own clean-up. The queue is serial.
    func async<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then completion: @escaping @Sendable (Value) -> Void
    ) {
        let outcome = Outcome<Value>()
        async { outcome.value.withLock { $0 = work() } }
        async { if let value = outcome.value.withLock({ $0.take() }) { completion(value) } }
    }
}

/// What the work has returned.
private final class Outcome<Value: Sendable>: Sendable {
    let value = Guarded<Value?>(nil)
}
