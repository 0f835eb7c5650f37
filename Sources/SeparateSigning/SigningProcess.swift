import CLinux
import Concurrency
import Dispatch
import Glibc
import Synchronization

/// The processes that have the keys of a daemon, as the daemon sees them: a process without keys that starts them, and what
/// that has started.
package final class SigningProcess: Sendable {
    /// What happens to them, for the log.
    package enum Change: Sendable {
        /// A process with keys ended; nothing is signed until there is another.
        case ended
        /// There is none yet, for this reason.
        case failing(String)
        case restarted
        /// The process that starts them ended, so nothing is signed until the daemon starts again.
        case lost
    }

    /// The name under which this program runs as the other side.
    package static let argument = "signing-process"
    /// Seconds that keys may take to load, and signatures to be made while an event loop waits: eight of RSA-4096 take 33 ms.
    private static let patience = (load: 60, signature: 1)

    /// All that the others load and sign.
    package let terms: KeyTerms
    private let control: PacketSocket
    private let channels: Int
    let report: @Sendable (Change) -> Void
    private let restarts = Atomic(0)
    private let hasEnded = Atomic(false)
    /// Ends processes that sign only for requests from before a reload.
    private let retired = Guarded<[@Sendable () -> Void]>([])
    /// Nil once watching has begun.
    private let watches = Guarded<[@Sendable () -> Void]?>([])

    /// Starts the process that starts the others. Call it before the sandbox and before anything listens. At most `threads`
    /// threads sign at a time without waiting for each other; `report` is called on any thread.
    package init(
        threads: Int, _ terms: KeyTerms, report: @escaping @Sendable (Change) -> Void
    ) throws(SigningProcessError) {
        let (own, other) = try PacketSocket.pair()
        let arguments = ["token-provider", Self.argument]
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard clinux_start_again(&pointers, other.descriptor) >= 0, own.send(terms.json) else {
            throw SigningProcessError("the signing process cannot be started")
        }
        (self.terms, control, self.report) = (terms, own, report)
        channels = min(max(2, threads + 1), 60)
    }

    /// Begins to watch the processes. Call it after the sandbox, because that takes threads.
    package func activate() {
        let waiting = watches.withLock { watches in
            defer { watches = nil }
            return watches ?? []
        }
        for watch in waiting { Self.start(watch) }
        Self.start { [weak self, control] in
            control.waitForEnd()
            guard let self else { return }
            hasEnded.store(true, ordering: .releasing)
            report(.lost)
        }
    }

    /// Calls this on a thread of its own, once watching has begun.
    func watch(_ body: @escaping @Sendable () -> Void) {
        let isActive = watches.withLock { watches in
            watches?.append(body)
            return watches == nil
        }
        if isActive { Self.start(body) }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "signing process").async(execute: body)
    }

    /// How often processes with keys were started after one had ended.
    package var restartCount: Int { restarts.load(ordering: .relaxed) }

    func countRestart() { restarts.add(1, ordering: .relaxed) }

    /// Whether the process that starts the others ended.
    package var isLost: Bool { hasEnded.load(ordering: .acquiring) }

    /// Ends the process of these channels when another one needs its place.
    func endWhenNeeded(_ channels: KeyChannels) {
        retired.withLock { $0.append { [weak channels] in channels?.end() } }
    }

    /// A new process with the keys.
    func open() throws(SigningProcessError) -> (KeyReport, KeyChannels) {
        let ends = retired.withLock { retired in
            defer { retired = [] }
            return retired
        }
        for end in ends { end() }
        var (own, others): ([PacketSocket], [PacketSocket]) = ([], [])
        for _ in 0...channels {
            let pair = try PacketSocket.pair()
            own.append(pair.0)
            others.append(pair.1)
        }
        guard control.send(KeyServer.order, with: others) else {
            throw SigningProcessError("the process that starts the signing process has ended")
        }
        // From now on only the other process holds them, so that its end shows.
        others = []
        own[0].limitWaiting(seconds: Self.patience.load)
        guard let report = own[0].receive(atMost: SigningRequest.maxBytes).flatMap(KeyReport.init(json:)),
            report.entries.count == terms.keys.count
        else {
            let sentence = "the signing process ended before it had loaded the keys"
            throw SigningProcessError(sentence: sentence, mayPass: true)
        }
        own[0].limitWaiting(seconds: 0)
        for socket in own.dropFirst() { socket.limitWaiting(seconds: Self.patience.signature) }
        return (report, KeyChannels(status: own[0], Array(own.dropFirst())))
    }
}

/// The sockets to one process with keys. Its end, and a message that is not answered, end all of them.
final class KeyChannels: Sendable {
    /// Bytes of an answer: signatures of 16,384 bits, and a sentence.
    private static let answerBytes = SigningRequest.maxMessages * (2 + 2048) + 4096

    private let status: PacketSocket
    private let sockets: [PacketSocket]
    private let idle: Guarded<[PacketSocket]>
    private let free: DispatchSemaphore

    init(status: PacketSocket, _ sockets: [PacketSocket]) {
        (self.status, self.sockets) = (status, sockets)
        idle = Guarded(sockets)
        free = DispatchSemaphore(value: 0)
        // A semaphore must not end with a lower value than its first one.
        for _ in sockets { free.signal() }
    }

    deinit { end() }

    /// The signatures; nil if the process has ended, or does not answer and is ended.
    func exchange(_ request: SigningRequest) -> SigningAnswer? {
        guard let packet = request.packet else { return nil }
        free.wait()
        let socket = idle.withLock { $0.popLast() }
        defer {
            if let socket { idle.withLock { $0.append(socket) } }
            free.signal()
        }
        guard let socket, socket.send(packet), let answer = answer(on: socket, count: request.messages.count) else {
            end()
            return nil
        }
        return answer
    }

    private func answer(on socket: PacketSocket, count: Int) -> SigningAnswer? {
        withUnsafeTemporaryAllocation(byteCount: Self.answerBytes, alignment: 8) { buffer in
            socket.receive(into: buffer).flatMap { SigningAnswer(packet: $0, count: count) }
        }
    }

    /// Ends the process.
    func end() {
        for socket in [status] + sockets { socket.end() }
    }

    /// Returns once the process has ended.
    func waitForEnd() { status.waitForEnd() }
}
