import Dispatch
import Glibc

/// Handles signals: the first SIGTERM or SIGINT drains, the second ends the process at once, and SIGHUP reloads. Lives as
/// long as the process.
///
/// `@unchecked Sendable`: after `init`, `count` is used on `queue` only.
final class Signals: @unchecked Sendable {
    private let queue = DispatchQueue(label: "signals")
    private var sources: [any DispatchSourceSignal] = []
    private var count = 0

    /// Returns once all signals are watched, because an earlier one would be lost.
    init(drain: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        // Blocked, so that they are delivered to Dispatch's signalfd and interrupt no thread.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let registered = DispatchGroup()
        for number in [SIGTERM, SIGINT] {
            watch(number, registered) { [self] times in received(times, drain: drain) }
        }
        watch(SIGHUP, registered) { _ in reload() }
        registered.wait()
    }

    private func watch(_ number: Int32, _ registered: DispatchGroup, _ received: @escaping (Int) -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { received(Int(source.data)) }
        registered.enter()
        source.setRegistrationHandler { registered.leave() }
        source.activate()
        sources.append(source)
    }

    private func received(_ times: Int, drain: () -> Void) {
        count += times
        if count > 1 { _exit(1) }
        drain()
    }
}
