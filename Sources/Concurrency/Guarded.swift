import Synchronization

/// State with a lock that is held for each access.
///
/// It is the standard library's `Mutex` and one atomic. The thread sanitizer does not know `Mutex` and would report every
/// access under it. The atomic tells it what the mutex guarantees anyway: one holder's writes come before the next
/// holder's reads. It costs one plain load and one plain store.
///
/// `public`, since an `@inlinable` function of `package` access is not specialised in other modules: the hot path called
/// it through generic metadata, at a cost of 2 % of a cached request.
public struct Guarded<State: Sendable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>
    @usableFromInline let handover = Atomic(false)

    /// State that nothing else refers to.
    public init(_ state: State) {
        mutex = Mutex(state)
    }

    /// Calls `body` with the state while no other thread has it. `body` must not take the same lock again.
    @inlinable
    public borrowing func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { state throws(Failure) in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&state)
        }
    }
}
