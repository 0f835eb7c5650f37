import Dispatch
import Glibc
import HTTPServer
import Locking

/// What the service manager is told of the daemon while it runs: its state, its figures, and that every loop turns.
final class ServiceState: Sendable {
    private static let longestPause: UInt64 = 10_000_000_000

    private let manager: ServiceManager
    private let figures: @Sendable () -> String
    private let afterTurn: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Half of the time in which the manager wants to hear of us.
    private let pause: DispatchTimeInterval
    private let queue = DispatchQueue(label: "service state")
    private let isDraining = Guarded(false)

    /// Tells what `figures` says, and that the daemon lives whenever `afterTurn` calls back.
    init(
        _ manager: ServiceManager, figures: @escaping @Sendable () -> String,
        afterTurn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        (self.manager, self.figures, self.afterTurn) = (manager, figures, afterTurn)
        pause = .nanoseconds(Int(min(manager.watchdogInterval.map { $0 / 2 } ?? .max, ServiceState.longestPause)))
    }

    /// Tells of a daemon: its figures, and its admin listener if it has one.
    convenience init(_ manager: ServiceManager, of figures: Figures, _ admin: Swappable<Server?>) {
        self.init(manager) {
            figures.summary
        } afterTurn: { done in
            figures.server.afterTurn { admin.now.map { $0.afterTurn(done) } ?? done() }
        }
    }

    /// The daemon serves from now on.
    func start() {
        manager.tell("READY=1", "STATUS=\(figures())")
        queue.async { [self] in beat() }
    }

    private func beat() {
        queue.asyncAfter(deadline: .now() + pause) { [self] in beat() }
        // No loop is waited for in a drain, which has its own limit.
        guard !isDraining.withLock({ $0 }) else { return tellOfLife() }
        afterTurn { [self] in tellOfLife() }
    }

    private func tellOfLife() {
        guard !isDraining.withLock({ $0 }) else { return manager.tell("WATCHDOG=1") }
        manager.tell("WATCHDOG=1", "STATUS=\(figures())")
    }

    /// The configuration is being read anew, until the group is empty.
    func reload(until group: DispatchGroup) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        manager.tell("RELOADING=1", "MONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
        group.notify(queue: .global()) { [self] in manager.tell("READY=1", "STATUS=\(figures())") }
    }

    /// The daemon ends as soon as it has answered whom it has accepted.
    func drain() {
        isDraining.withLock { $0 = true }
        manager.tell("STOPPING=1", "STATUS=Draining")
    }

    /// Returns once the manager was told everything so far.
    func flush() { manager.flush() }
}
