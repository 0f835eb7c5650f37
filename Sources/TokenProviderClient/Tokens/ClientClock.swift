import Foundation

/// What two clocks show at one moment, in seconds.
package struct ClockReading: Sendable {
    /// Seconds since the epoch by the device's clock, which its owner can set.
    package var wall: TimeInterval

    /// Seconds since some moment; it never runs backwards, and may stand still while the device sleeps.
    package var monotonic: TimeInterval

    package init(wall: TimeInterval, monotonic: TimeInterval) {
        (self.wall, self.monotonic) = (wall, monotonic)
    }

    /// The seconds since an earlier reading: the larger of both clocks' answers. One stands still while the device
    /// sleeps (on Linux), and the other can be set back, but a token must not outlive either.
    func seconds(since start: ClockReading) -> TimeInterval {
        max(monotonic - start.monotonic, wall - start.wall)
    }

    /// The seconds by which the device's clock was set back since an earlier reading, as a negative number; 0 if it was
    /// not. Less than a second is the adjustment of a clock that runs fast.
    func setBack(since start: ClockReading) -> TimeInterval {
        let drift = (wall - start.wall) - (monotonic - start.monotonic)
        return drift < -1 ? drift : 0
    }
}

/// How the client reads the time, waits and draws lots; tests bring their own.
package struct ClientClock: Sendable {
    /// What the clocks show now.
    package var now: @Sendable () -> ClockReading

    /// Waits for so many seconds; throws if the task is cancelled.
    package var sleep: @Sendable (TimeInterval) async throws -> Void

    /// A number from 0 up to 1, for jitter.
    package var random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> ClockReading, sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        (self.now, self.sleep, self.random) = (now, sleep, random)
    }

    /// The clocks of this device. On Apple's systems the monotonic one counts on while the device sleeps.
    package static let system = ClientClock(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return ClockReading(
                wall: Date().timeIntervalSince1970,
                monotonic: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000)
        },
        sleep: { try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000)) },
        random: { Double.random(in: 0..<1) })
}
