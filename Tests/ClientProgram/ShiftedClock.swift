import Concurrency
import Foundation
import TokenProviderClient

/// The clocks of this machine, ahead by as many seconds as a test wants.
final class ShiftedClock: Sendable {
    private let offset = Guarded<TimeInterval>(0)

    var clock: ClientClock {
        ClientClock(
            now: { self.now }, sleep: { try await self.sleep($0) }, random: ClientClock.system.random)
    }

    private var now: ClockReading {
        let (now, offset) = (ClientClock.system.now(), offset.withLock { $0 })
        return ClockReading(wall: now.wall + offset, monotonic: now.monotonic + offset)
    }

    func advance(by seconds: TimeInterval) { offset.withLock { $0 += seconds } }

    private func sleep(_ seconds: TimeInterval) async throws {
        let end = now.monotonic + seconds
        while now.monotonic < end { try await Task.sleep(nanoseconds: 1_000_000) }
    }
}
