import Concurrency

/// A clock that stands still until it is advanced; then it runs what is due.
package final class MockClock: Sendable {
    private struct State {
        var now = Duration.seconds(1000)
        var timers: [(due: Duration, body: @Sendable () -> Void)] = []
        var random = 0.5
    }

    private let state = Guarded(State())

    package init() {}

    package var now: Duration { state.withLock { $0.now } }
    package var timers: Int { state.withLock { $0.timers.count } }

    /// The value of every random number.
    package func setRandom(_ random: Double) { state.withLock { $0.random = random } }

    /// The value of the next random number.
    package var random: Double { state.withLock { $0.random } }
    package var epochSeconds: Int64 { 1_800_000_000 + now.components.seconds - 1000 }

    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.timers.append(($0.now + delay, body)) }
    }

    /// Returns after this time.
    package func sleep(_ time: Duration) async {
        await withUnsafeContinuation { continuation in after(time) { continuation.resume() } }
    }

    /// Advances step by step from timer to timer.
    package func advance(by time: Duration) {
        let end = now + time
        while let body = next(until: end) { body() }
        state.withLock { $0.now = end }
    }

    private func next(until end: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let first = state.timers.indices.min { state.timers[$0].due < state.timers[$1].due }
            guard let first, state.timers[first].due <= end else { return nil }
            let timer = state.timers.remove(at: first)
            state.now = max(state.now, timer.due)
            return timer.body
        }
    }
}
