import Dispatch
import Glibc

/// SIGTERM and SIGINT: the first one drains, the second ends the process at once. SIGHUP reloads. Lives as long as the
/// process.
///
/// `@unchecked Sendable`: after `init`, `count` is touched on `queue` only.
final class Signals: @unchecked Sendable {
    private let queue = DispatchQueue(label: "signals")
    private var sources: [any DispatchSourceSignal] = []
    private var count = 0

    /// Returns once both signals are watched: one that came before would be lost.
    init(drain: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        // Held for Dispatch, which reads them: one that a thread were interrupted for would be Dispatch's to raise again.
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
