import Synchronization

/// State behind a lock that every thread takes for each look at it.
///
/// It is the standard library's `Mutex` and one atomic. The thread sanitizer does not see into `Mutex` and would report
/// every access under it; the atomic tells it what the mutex guarantees anyway, that one holder's writes come before the
/// next holder's reads, and costs a plain load and a plain store.
package struct Guarded<State: Sendable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>
    @usableFromInline let handover = Atomic(false)

    /// State that nobody else holds.
    package init(_ state: State) {
        mutex = Mutex(state)
    }

    /// Calls with the state while no other thread has it; the closure must not take the same lock again.
    @inlinable
    package borrowing func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { state throws(Failure) in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&state)
        }
    }
}
