import Concurrency
import Dispatch
import Glibc
import HTTPServer

/// Notifies the service manager while the daemon runs: of its state, a status line, and that all event loops respond.
final class ServiceState: Sendable {
    private static let maxInterval: UInt64 = 10_000_000_000

    private let manager: ServiceManager
    private let status: @Sendable () -> String
    private let afterTurn: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// At most half of the watchdog's interval, as sd_watchdog_enabled(3) recommends.
    private let interval: DispatchTimeInterval
    private let queue = DispatchQueue(label: "service state")
    private let isDraining = Guarded(false)

    /// Sends the `status`, and `WATCHDOG=1` whenever `afterTurn` calls back because every event loop has responded.
    init(
        _ manager: ServiceManager, status: @escaping @Sendable () -> String,
        afterTurn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        (self.manager, self.status, self.afterTurn) = (manager, status, afterTurn)
        interval = .nanoseconds(Int(min(manager.watchdogInterval.map { $0 / 2 } ?? .max, ServiceState.maxInterval)))
    }

    /// Reports that the daemon is ready, and begins the watchdog's notifications.
    func start() {
        manager.notify("READY=1", "STATUS=\(status())")
        queue.async { [self] in beat() }
    }

    private func beat() {
        queue.asyncAfter(deadline: .now() + interval) { [self] in beat() }
        // A drain has its own time limit, so it does not wait for event loops.
        guard !isDraining.withLock({ $0 }) else { return notifyWatchdog() }
        afterTurn { [self] in notifyWatchdog() }
    }

    private func notifyWatchdog() {
        guard !isDraining.withLock({ $0 }) else { return manager.notify("WATCHDOG=1") }
        manager.notify("WATCHDOG=1", "STATUS=\(status())")
    }

    /// Reports a reload that lasts until the group is empty.
    func reload(until group: DispatchGroup) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        manager.notify("RELOADING=1", "MONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
        group.notify(queue: .global()) { [self] in manager.notify("READY=1", "STATUS=\(status())") }
    }

    /// Reports that the daemon stops once it has answered all accepted requests.
    func drain() {
        isDraining.withLock { $0 = true }
        manager.notify("STOPPING=1", "STATUS=Draining")
    }

    /// Returns once all notifications are sent.
    func flush() { manager.flush() }
}
