import Concurrency

@testable import GoogleCredentials

/// A clock that stands still until it is advanced; then it runs what is due.
final class MockClock: Sendable {
    private struct State {
        var now = Duration.seconds(1000)
        var timers: [(due: Duration, body: @Sendable () -> Void)] = []
        var random = 0.5
    }

    private let state = Guarded(State())

    var now: Duration { state.withLock { $0.now } }
    var timers: Int { state.withLock { $0.timers.count } }

    /// The value of every random number.
    func setRandom(_ random: Double) { state.withLock { $0.random = random } }

    var signing: SigningClock {
        SigningClock(
            monotonic: { self.now }, epochSeconds: { 1_800_000_000 + self.now.components.seconds - 1000 },
            after: { delay, body in self.state.withLock { $0.timers.append(($0.now + delay, body)) } },
            random: { self.state.withLock { $0.random } })
    }

    /// Advances step by step from timer to timer.
    func advance(by time: Duration) {
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
