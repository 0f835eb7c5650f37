import HTTPClient

/// One connection from its first address to its end: socket, TLS and HTTP/2 one after the other. Used on the loop's
/// thread only.
final class ClientConnection {
    /// Why a connection ended.
    enum End: Equatable {
        case failed(HTTPClientError.Cause)
        /// The server speaks another protocol than HTTP/2.
        case otherProtocol
        /// It is not needed any more.
        case closed
    }

    private enum State {
        case resolving
        case connecting(ClientSocket)
        case securing(ClientSocket, ClientTLS)
        case open(ClientSocket, ClientTLS, ClientSession)
    }

    /// An address gets so much of the time to connect if there is another.
    private static let timePerAddress: Nanoseconds = 500_000_000
    /// Reads of one turn. Each brings a record of TLS.
    private static let maxReads = 64

    let id: Int
    private let host: String
    private let context: ClientTLSContext
    /// How long it may take until requests can be sent, and when that ends.
    private let limit: Duration
    private let openUntil: Nanoseconds
    private var state = State.resolving
    private var addresses: ArraySlice<ServerAddress> = []
    private var addressUntil = Nanoseconds.max
    private var output: [UInt8] = []
    private var sentOutput = 0
    private var waitsToSend = false
    /// Nil while it can go on.
    private(set) var end: End?
    /// When bytes have come last.
    private(set) var receivedAt: Nanoseconds = 0

    init(_ id: Int, to host: String, _ context: ClientTLSContext, within limit: Duration, at now: Nanoseconds) {
        (self.id, self.host, self.context, self.limit) = (id, host, context, limit)
        openUntil = now + limit.nanoseconds
    }

    /// The session; nil until there is one.
    var session: ClientSession? { if case .open(_, _, let session) = state { session } else { nil } }

    /// Whether requests can be sent.
    var isOpen: Bool { session?.limit != nil }

    /// Whether it waits for addresses.
    var isResolving: Bool { if case .resolving = state { true } else { false } }

    /// What it waits for; nil if not for a socket.
    var wait: (descriptor: Int32, isWriting: Bool)? {
        switch state {
        case .resolving: nil
        case .connecting(let socket): (socket.descriptor, true)
        case .securing(let socket, _), .open(let socket, _, _): (socket.descriptor, waitsToSend)
        }
    }

    /// When something is to be done although nothing comes; nil if never.
    var wakeUp: Nanoseconds? { isOpen ? nil : min(openUntil, addressUntil) }

    // MARK: Steps

    /// Connects to the first address that answers.
    func connect(to addresses: [ServerAddress], at now: Nanoseconds) {
        guard isResolving else { return }
        self.addresses = addresses[...]
        connectToNext(at: now, after: nil)
    }

    private func connectToNext(at now: Nanoseconds, after failure: SocketFailure?) {
        var failure = failure
        while let address = addresses.popFirst() {
            do throws(SocketFailure) {
                state = .connecting(try ClientSocket(connectingTo: address))
                addressUntil = addresses.isEmpty ? .max : now + Self.timePerAddress
                return
            } catch {
                failure = error
            }
        }
        end(.failed(failure.map { .cannotConnect(reason: $0.reason) } ?? .unresolved))
    }

    /// Ends what takes too long.
    func checkTime(_ now: Nanoseconds) {
        guard !isOpen, end == nil else { return }
        if now >= openUntil { return end(.failed(.timeout(phase, after: limit))) }
        if now >= addressUntil, case .connecting = state { connectToNext(at: now, after: nil) }
    }

    /// What has not been done yet.
    var phase: HTTPClientError.Phase {
        switch state {
        case .resolving: .resolving
        case .connecting: .connecting
        case .securing, .open: .securing
        }
    }

    /// Goes on after its socket was reported.
    func proceed(_ buffer: UnsafeMutableRawBufferPointer, at now: Nanoseconds) {
        switch state {
        case .resolving: return
        case .connecting(let socket): finishConnecting(socket, at: now)
        case .securing(let socket, let tls): handshake(socket, tls)
        case .open(_, let tls, let session): receive(tls, session, buffer, at: now)
        }
    }

    private func finishConnecting(_ socket: ClientSocket, at now: Nanoseconds) {
        do throws(SocketFailure) {
            try socket.finishConnecting()
        } catch {
            return connectToNext(at: now, after: error)
        }
        addressUntil = .max
        guard let tls = ClientTLS(context, descriptor: socket.descriptor, host: host) else {
            return end(.failed(.tls(reason: "out of memory")))
        }
        handshake(socket, tls)
    }

    private func handshake(_ socket: ClientSocket, _ tls: ClientTLS) {
        state = .securing(socket, tls)
        let progress = tls.handshake()
        waitsToSend = progress == .waitsToSend
        switch progress {
        case .waitsToReceive, .waitsToSend: return
        case .failed(let reason): end(.failed(.tls(reason: reason)))
        case .done(isHTTP2: false): end(.otherProtocol)
        case .done(isHTTP2: true):
            guard let session = ClientSession() else { return end(.failed(.other(reason: "out of memory"))) }
            state = .open(socket, tls, session)
        }
    }

    private func receive(
        _ tls: ClientTLS, _ session: ClientSession, _ buffer: UnsafeMutableRawBufferPointer, at now: Nanoseconds
    ) {
        var reads = 0
        repeat {
            switch tls.receive(into: buffer) {
            case .bytes(let count):
                receivedAt = now
                session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .waitsToReceive, .waitsToSend: return
            case .ended: return end(.failed(.other(reason: "the server ended the connection")))
            case .failed(let reason): return end(.failed(.other(reason: reason)))
            }
            reads += 1
        } while reads < Self.maxReads && tls.holdsBytes
    }

    /// Whether bytes have come that its socket does not report.
    var holdsBytes: Bool { if case .open(_, let tls, _) = state { tls.holdsBytes } else { false } }

    /// Sends what the session has to say.
    func flush() {
        guard end == nil, case .open(_, let tls, let session) = state else { return }
        repeat {
            if sentOutput == output.count {
                output.removeAll(keepingCapacity: true)
                sentOutput = 0
                session.produce(into: &output)
            }
            guard sendOutput(tls) else { return }
        } while !output.isEmpty
        if let fault = session.fault { end(.failed(.other(reason: fault))) }
    }

    /// False if nothing more can be sent now.
    private func sendOutput(_ tls: ClientTLS) -> Bool {
        waitsToSend = false
        while sentOutput < output.count {
            let progress = output.withUnsafeBytes { tls.send(UnsafeRawBufferPointer(rebasing: $0[sentOutput...])) }
            switch progress {
            case .bytes(let count): sentOutput += count
            case .waitsToSend, .waitsToReceive:
                waitsToSend = progress == .waitsToSend
                return false
            case .ended, .failed:
                end(.failed(.other(reason: "the connection was cut")))
                return false
            }
        }
        return true
    }

    /// Ends it.
    func end(_ end: End) { self.end = self.end ?? end }

    /// Ends it with a farewell.
    func close() {
        guard case .open(_, let tls, let session) = state else { return end(.closed) }
        session.close()
        flush()
        tls.close()
        end(.closed)
    }
}
