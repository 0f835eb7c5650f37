import CLinux
import Dispatch
import FleetEngineToken
import Glibc

/// The other side: the process that starts those with keys, and such a process.
///
/// The first has no keys and one thread. It reads the terms, then for each order forks a process, which loads the keys,
/// confines itself and signs until the sockets that came with the order are closed. So a daemon that has given up the right
/// to start processes still gets new ones: after a crash, and at a reload beside the old ones.
package enum KeyServer {
    /// The socket that the daemon hands over.
    private static let control: Int32 = 3

    /// What an order makes of a process: its keys, and what to do before it signs.
    package typealias Load = (KeyOrder, KeyTerms) -> (report: KeyReport, signers: [(any TokenSigner)?])

    /// Serves orders until the daemon ends. `confine` confines this process once it has nothing to open itself, and returns
    /// warnings for the daemon's log.
    package static func run(confine: (KeyTerms) -> [String], load: Load) {
        guard clinux_end_with(getppid()) else { return }
        ignoreSignals()
        let control = PacketSocket(takingOwnershipOf: control)
        // The daemon sent them before it could be reached. Whatever it sends from now on, it only names credentials.
        guard let terms = control.receive(atMost: SigningRequest.maxBytes).flatMap(KeyTerms.init(json:)) else { return }
        let warnings = confine(terms)
        while let (packet, sockets) = control.receiveWithSockets(atMost: SigningRequest.maxBytes) {
            guard let order = KeyOrder(json: packet), !sockets.isEmpty else { continue }
            let parent = getpid()
            if clinux_fork() == 0 {
                close(control.descriptor)
                if clinux_end_with(parent) {
                    var loaded = load(order, terms)
                    loaded.report.warnings += warnings.filter { !loaded.report.warnings.contains($0) }
                    serve(sockets, loaded, for: terms.audiences)
                }
                _exit(0)
            }
        }
    }

    /// The daemon decides when it ends: a service manager and a terminal send their signals to all processes at once. Those
    /// that ended are not waited for.
    private static func ignoreSignals() {
        for number in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] { signal(number, SIG_IGN) }
    }

    /// The report goes to the first socket, which then shows by its end that this process lives. The others are for
    /// signatures.
    private static func serve(
        _ sockets: [PacketSocket], _ loaded: (report: KeyReport, signers: [(any TokenSigner)?]), for audiences: [String]
    ) {
        let signers = loaded.signers.map { $0.map { LimitedSigner($0, audiences) } }
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
        let together = orders.compactMap { order in
            (order.signer as? any BatchTokenSigner).flatMap { signer in
                signer.signsBatches ? BatchOrder(signer: signer, message: order.message) : nil
            }
        }
        var batch = BatchedSignatures(signatures: [])
        if together.count == orders.count, together.count > 2, let first = together.first?.signer {
            batch = first.sign(together: together)
        }
        let signatures = orders.enumerated().map { place, order in
            let signed = place < batch.signatures.count ? batch.signatures[place] : nil
            return signed ?? (try? order.signer?.sign(order.message))
        }
        return SigningAnswer(signatures, fault: batch.fault)
    }
}

/// A signer with what it signs.
struct LimitedSigner: Sendable {
    let signer: any TokenSigner
    private let tokens: SignableTokens

    init(_ signer: any TokenSigner, _ audiences: [String]) {
        (self.signer, tokens) = (signer, SignableTokens(of: signer, audiences: audiences))
    }

    func signs(_ message: [UInt8], at now: Int64) -> Bool { tokens.contain(message, at: now) }
}
