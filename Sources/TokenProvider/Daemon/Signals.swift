import Dispatch
import Glibc

/// Handles signals: the first SIGTERM, SIGINT or SIGQUIT drains, the second ends the process at once, and SIGHUP reloads.
/// Lives as long as the process.
///
/// `@unchecked Sendable`: after `init`, `count` is used on `queue` only.
final class Signals: @unchecked Sendable {
    private static let ends = [SIGTERM, SIGINT, SIGQUIT]

    private let queue = DispatchQueue(label: "signals")
    private var sources: [any DispatchSourceSignal] = []
    private var count = 0

    /// Keeps SIGHUP, which would end the process, until `init` watches it: a change that it announces may have come after the
    /// configuration was read. Call it first, as threads inherit it.
    static func keepReloads() {
        signal(SIGHUP, SIG_IGN)
        block([SIGHUP])
    }

    /// Call `keepReloads` before. Returns once all signals are watched, because an earlier one would be lost.
    init(drain: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        Self.block(Self.ends)
        let registered = DispatchGroup()
        for number in Self.ends {
            signal(number, SIG_IGN)
            watch(number, registered) { [self] times in received(times, drain: drain) }
        }
        watch(SIGHUP, registered) { _ in reload() }
        registered.wait()
    }

    /// Delivers these to Dispatch's signalfd, so that they interrupt no thread.
    private static func block(_ numbers: [Int32]) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func watch(_ number: Int32, _ registered: DispatchGroup, _ received: @escaping (Int) -> Void) {
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
