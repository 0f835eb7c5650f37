import Concurrency
import Foundation
import Testing

@testable import TokenProviderClient

/// Clocks that a test sets; who sleeps by them wakes up when the monotonic one gets there.
final class ManualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let end: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var reading = ClockReading(wall: 1_800_000_000, monotonic: 1000)
        var random = 0.0
        var sleepers: [Sleeper] = []
        var lastID = 0
        var cancelled: Set<Int> = []
    }

    private let state = Guarded(State())

    /// What the clocks show.
    var now: ClockReading { state.withLock { $0.reading } }

    /// The lots that are drawn from now on.
    func draw(_ random: Double) { state.withLock { $0.random = random } }

    /// Seconds until the next sleeper wakes up.
    var nextWake: TimeInterval? {
        state.withLock { state in state.sleepers.map { $0.end - state.reading.monotonic }.min() }
    }

    /// Lets time pass, by both clocks.
    func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.reading.wall += seconds
            state.reading.monotonic += seconds
            let due = state.sleepers.filter { $0.end <= state.reading.monotonic }
            state.sleepers.removeAll { $0.end <= state.reading.monotonic }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sets the device's clock forward or back; time does not pass.
    func setWall(by seconds: TimeInterval) { state.withLock { $0.reading.wall += seconds } }

    /// As the client sees it.
    var clock: ClientClock {
        ClientClock(
            now: { self.now }, sleep: { try await self.sleep($0) },
            random: { self.state.withLock { $0.random } })
    }

    private func sleep(_ seconds: TimeInterval) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add($0, id, seconds) }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ continuation: CheckedContinuation<Void, any Error>, _ id: Int, _ seconds: TimeInterval) {
        let isCancelled = state.withLock { state in
            guard state.cancelled.remove(id) == nil else { return true }
            let end = state.reading.monotonic + seconds
            state.sleepers.append(Sleeper(id: id, end: end, continuation: continuation))
            return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}

/// Lets other tasks run until a condition holds, or until the test's time limit.
func eventually(_ condition: () async -> Bool) async throws {
    while await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
