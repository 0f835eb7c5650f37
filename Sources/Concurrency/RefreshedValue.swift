import Dispatch

/// A value of another service: fetched once for all who wait, fetched ahead before it ends, kept through outages for as long as
/// its freshness says, and after failures left alone for longer and longer.
package final class RefreshedValue<Value: Sendable, Failure: Error>: Sendable {
    /// Fetches a value once.
    package typealias Fetch = @Sendable () async throws(Failure) -> Value
    /// For how long a value is of use, and whether it has what the previous one did not.
    package typealias Judge = @Sendable (_ value: Value, _ previous: Value?) -> (FetchSchedule.Freshness, isNew: Bool)
    /// Whether a failure says that the value must not be used any more. It is only asked while there is one.
    package typealias Withdrawal = @Sendable (Failure) -> Bool

    private struct State {
        var schedule: FetchSchedule
        var value: Value?
        /// Why the last fetch failed; nil if it succeeded, and before the first.
        var failure: Failure?
        /// Called when the pending fetch ends.
        var waiting: [@Sendable (Result<Value, Failure>) -> Void] = []
        var isKeptFresh = false

        func usable(at now: Duration) -> Value? { schedule.isUsable(at: now) ? value : nil }
    }

    private let state: Guarded<State>
    private let clock: @Sendable () -> Duration
    private let jitter: @Sendable () -> Double
    private let fetch: Fetch
    private let judge: Judge
    private let isWithdrawn: Withdrawal
    private let executor: (any TaskExecutor)?

    /// A value before its first fetch. `clock` never goes back; `jitter` is from 0 up to 1, and spreads what follows failures.
    /// Fetches run by the executor, on the usual threads without one.
    package init(
        _ schedule: FetchSchedule, clock: @escaping @Sendable () -> Duration,
        jitter: @escaping @Sendable () -> Double = { 1 }, on executor: (any TaskExecutor)? = nil,
        fetch: @escaping Fetch, judge: @escaping Judge, isWithdrawn: @escaping Withdrawal = { _ in false }
    ) {
        state = Guarded(State(schedule: schedule))
        (self.clock, self.jitter, self.executor, self.fetch, self.judge) = (clock, jitter, executor, fetch, judge)
        self.isWithdrawn = isWithdrawn
    }

    /// The value while it is used; begins a fetch if that is due, and does not wait for it.
    package var current: Value? {
        let (value, begins) = state.withLock { state in
            let now = clock()
            return (state.usable(at: now), state.schedule.startFetchIfDue(at: now))
        }
        if begins { begin() }
        return value
    }

    /// The value while it is used, and why the last fetch failed. Begins nothing.
    package var known: (value: Value?, failure: Failure?) {
        state.withLock { ($0.usable(at: clock()), $0.failure) }
    }

    /// How long ago the value was fetched, and how long until it is fetched again and until it ends; nil without one.
    package var freshness: (age: Duration, renewal: Duration, end: Duration?)? {
        state.withLock { $0.schedule.freshness(at: clock()) }
    }

    /// The value, or why there is none. Waits for the pending fetch if that is not known.
    package func get() async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            let (answer, begins) = state.withLock { state -> (Result<Value, Failure>?, Bool) in
                let now = clock()
                let begins = state.schedule.startFetchIfDue(at: now)
                if let value = state.usable(at: now) { return (.success(value), begins) }
                if state.schedule.isPausing, let failure = state.failure { return (.failure(failure), begins) }
                state.waiting.append { continuation.resume(returning: $0) }
                return (nil, begins)
            }
            if begins { begin() }
            if let answer { continuation.resume(returning: answer) }
        }.get()
    }

    /// Waits for a fetch, unless the value is enough. Returns the time to wait if no fetch may begin.
    package func demand(_ isEnough: @Sendable (Value?) -> Bool) async -> Duration? {
        await withCheckedContinuation { continuation in
            let demand = state.withLock { state -> FetchSchedule.Demand? in
                guard !isEnough(state.value) else { return nil }
                let demand = state.schedule.demand(at: clock())
                if demand == .fetch || demand == .wait {
                    state.waiting.append { _ in continuation.resume(returning: nil) }
                }
                return demand
            }
            switch demand {
            case nil: continuation.resume(returning: nil)
            case .fetch: begin()
            case .wait: break
            case .refuse(let wait): continuation.resume(returning: wait)
            }
        }
    }

    /// Drops the value if it is this one, and fetches another, unless that was done a short time ago.
    package func discard(if isRefused: (Value) -> Bool) {
        let begins = state.withLock { state in
            let now = clock()
            guard let value = state.value, isRefused(value), state.schedule.discard(at: now) else { return false }
            state.value = nil
            return state.schedule.startFetchIfDue(at: now)
        }
        if begins { begin() }
    }

    /// Fetches the value now, and each one again in time even without requests, until this object is released. Whether that
    /// begins now.
    package func start() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isKeptFresh = true }
            return !state.isKeptFresh
        }
        if isFirst { look() }
        return isFirst
    }

    private func look() {
        _ = current
        let pause = state.withLock { $0.schedule.timeToNextStep(at: clock()) }
        // Dispatch's time stands still while the machine is suspended.
        let seconds = Int(max(1, min(pause.components.seconds, 10)))
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in self?.look() }
    }

    /// The fetch keeps this object alive, so that all who wait get an answer.
    private func begin() {
        Task(executorPreference: executor) { [self] in ended(await Result(awaiting: fetch)) }
    }

    private func ended(_ result: Result<Value, Failure>) {
        let (now, jitter) = (clock(), jitter())
        let waiting = state.withLock { state in
            switch result {
            case .success(let value):
                let (freshness, isNew) = judge(value, state.value)
                state.schedule.succeeded(at: now, freshness, isNew: isNew)
                (state.value, state.failure) = (value, nil)
            case .failure(let failure):
                state.schedule.failed(at: now, jitter: jitter)
                state.failure = failure
                if state.value != nil, isWithdrawn(failure) {
                    state.schedule.withdrew()
                    state.value = nil
                }
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for completion in waiting { completion(result) }
    }
}
