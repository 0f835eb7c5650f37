import Concurrency

/// One question to all loops of a server: how long does each take to turn?
final class LagProbe: Sendable {
    private struct State {
        var lags: [UInt64]
        var waited: Int
        var done: (@Sendable ([UInt64]) -> Void)?
    }

    private let began = MonotonicTime.now()
    private let state: Guarded<State>

    /// Calls once, when all have turned or the probe is ended, with `patience` for those that have not.
    init(loops: Int, patience: UInt64, _ done: @escaping @Sendable ([UInt64]) -> Void) {
        state = Guarded(State(lags: [UInt64](repeating: patience, count: loops), waited: loops, done: done))
    }

    /// A loop has turned.
    func turned(_ loop: Int) {
        let lag = ServerTime.nanoseconds(since: began)
        let isLast = state.withLock { state in
            state.lags[loop] = lag
            state.waited -= 1
            return state.waited == 0
        }
        if isLast { end() }
    }

    /// Waits no longer.
    func end() {
        let (done, lags) = state.withLock { state in
            defer { state.done = nil }
            return (state.done, state.lags)
        }
        done?(lags)
    }
}
