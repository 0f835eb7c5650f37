import CLinux
import Dispatch
import FleetEngineToken
import Glibc

/// The other side: the process that starts those with keys, and such a process.
///
/// The first has no keys and one thread. It reads the terms, then for each order forks a process, which loads their keys, confines
/// itself and signs until the sockets that came with the order are closed. So a daemon that has given up the right to start
/// processes still gets new ones: after a crash, and at a reload beside the old one.
package enum KeyServer {
    /// The socket that the daemon hands over.
    private static let control: Int32 = 3
    /// Those with keys that live at a time: the daemon's, and the next one's at a reload or after a crash.
    private static let mostProcesses = 2
    /// A process with keys, and one of its sockets, by which the daemon ends it.
    private typealias Child = (process: pid_t, socket: PacketSocket)
    /// What an order is; its sockets say all else.
    static let order = Array("load".utf8)

    /// Loads the terms' keys. Only until the daemon can be reached may errors say what the files are like.
    package typealias Load = (KeyTerms, _ tellsErrors: Bool) -> (report: KeyReport, signers: [(any TokenSigner)?])

    /// Serves orders until the daemon ends. `confine` confines this process once it has nothing to open but keys, and returns
    /// warnings for the daemon's log.
    package static func run(confine: (KeyTerms) -> [String], load: Load) {
        guard clinux_end_with(getppid()) else { return }
        prepareSignals()
        let control = PacketSocket(takingOwnershipOf: control)
        // The daemon sends them before it can be reached. It only ever sends orders after that.
        guard let terms = control.receive(atMost: SigningRequest.maxBytes).flatMap(KeyTerms.init(json:)) else { return }
        let warnings = confine(terms)
        var (living, isFirst): ([Child], Bool) = ([], true)
        while let sockets = nextOrder(on: control, &living) {
            let parent = getpid()
            let child = clinux_fork()
            if child == 0 {
                close(control.descriptor)
                living = []
                if clinux_end_with(parent) {
                    var loaded = load(terms, isFirst)
                    loaded.report.warnings += warnings.filter { !loaded.report.warnings.contains($0) }
                    serve(sockets, loaded, for: terms)
                }
                _exit(0)
            }
            if child > 0 { living.append((child, sockets[1])) }
            isFirst = false
        }
    }

    /// The daemon decides when it ends: a service manager and a terminal send their signals to all processes at once. The end of
    /// a process with keys only interrupts the wait for orders.
    private static func prepareSignals() {
        for number in [SIGTERM, SIGINT, SIGQUIT, SIGHUP] { signal(number, SIG_IGN) }
        signal(SIGCHLD) { _ in }
        var ends = sigset_t()
        sigemptyset(&ends)
        sigaddset(&ends, SIGCHLD)
        sigprocmask(SIG_BLOCK, &ends, nil)
    }

    /// The sockets of the next order, once there may be another process; nil at the end.
    private static func nextOrder(on control: PacketSocket, _ living: inout [Child]) -> [PacketSocket]? {
        while true {
            living.removeAll { waitpid($0.process, nil, WNOHANG) == $0.process }
            guard control.waitInterruptibly() else { continue }
            guard living.count < mostProcesses else {
                // One that hangs does not see that the daemon has ended it.
                for child in living where child.socket.hasEnded { kill(child.process, SIGKILL) }
                _ = clinux_wait_for_input_or_signal(-1, 1)
                continue
            }
            guard let (packet, sockets) = control.receiveWithSockets(atMost: order.count + 1) else { return nil }
            if packet == order, sockets.count > 1 { return sockets }
        }
    }

    /// The report goes to the first socket, which then shows by its end that this process lives. The others are for
    /// signatures.
    private static func serve(
        _ sockets: [PacketSocket], _ loaded: (report: KeyReport, signers: [(any TokenSigner)?]), for terms: KeyTerms
    ) {
        let signers = zip(loaded.signers, terms.keys).map { signer, key in
            signer.map { LimitedSigner($0, key.tokens) }
        }
        guard sockets[0].send(loaded.report.json) else { return }
        for (place, socket) in sockets.enumerated().dropFirst() {
            DispatchQueue(label: "signing \(place)").async { sign(socket, signers) }
        }
        sockets[0].waitForEnd()
    }

    private static func sign(_ socket: PacketSocket, _ signers: [LimitedSigner?]) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SigningRequest.maxBytes + 1, alignment: 8)
        defer {
            buffer.deallocate()
            socket.end()
        }
        while let request = socket.receive(into: buffer).flatMap(SigningRequest.init(packet:)) {
            guard socket.send(answer(request, signers, at: Int64(time(nil))).packet) else { return }
        }
    }

    /// The signatures at a time in seconds since the epoch.
    static func answer(_ request: SigningRequest, _ signers: [LimitedSigner?], at now: Int64) -> SigningAnswer {
        let orders = request.messages.map { key, message in
            let limited = signers.indices.contains(key) ? signers[key] : nil
            return (signer: limited?.signs(message, at: now) == true ? limited?.signer : nil, message: message)
        }
        let together = orders.compactMap { signer, message in signer.map { BatchOrder($0, message) } }
        var batch = BatchedSignatures(orders.map { _ in nil }, nil)
        if together.count == orders.count, let first = together.first?.signer as? any BatchTokenSigner,
            first.batchSizes?.contains(orders.count) == true
        {
            batch = first.sign(together: together)
        }
        let signatures = zip(orders, batch.signatures).map { order, signature in
            signature ?? (try? order.signer?.sign(order.message))
        }
        return SigningAnswer(signatures, fault: batch.fault)
    }
}

/// A signer with what it signs.
struct LimitedSigner: Sendable {
    let signer: any TokenSigner
    private let signable: SignableTokens

    init(_ signer: any TokenSigner, _ tokens: [KeyTerms.Tokens]) {
        (self.signer, signable) = (signer, SignableTokens(of: signer, tokens))
    }

    func signs(_ message: [UInt8], at now: Int64) -> Bool { signable.contain(message, at: now) }
}
