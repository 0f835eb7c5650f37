import Glibc

/// What comes before requests, and between them and the socket: a proxy's header, a handshake, a secure transport.
extension Connection {
    /// Reads the address that a proxy speaks for, up to the first request.
    func takeProxyHeader(_ bytes: UnsafeRawBufferPointer, on loop: EventLoop) -> ConnectionMachine.Action? {
        input.append(contentsOf: bytes)
        switch ProxyHeader.parse(input.span) {
        case .incomplete: return nil
        case .malformed:
            let isBegun = ProxyHeader.isBegun(by: input.span)
            loop.tellOfClient(.proxyHeaderRefused(peer.address, isMissing: !isBegun))
            return .close
        case .header(let header):
            if let source = header.source {
                loop.count(self, for: source)
            }
            input.removeFirst(header.length)
            return layers?.transport == nil ? .proceed : machine.handshakeWaits(for: .readable)
        }
    }

    /// The socket is readable, or the transport holds what it has read.
    func receive(
        through layers: ConnectionLayers, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        guard let secure = layers.transport else { return try receive(into: loop.receiveBuffer, on: loop) }
        switch machine.state {
        case .unannounced:
            // Not a byte more than the header, since the transport has to read what follows.
            let length = ProxyHeader.missingBytes(behind: input.span)
            return try receive(into: UnsafeMutableRawBufferPointer(rebasing: loop.receiveBuffer[..<length]), on: loop)
        case .handshaking:
            guard let isHandshake = try beginsHandshake(layers, on: loop) else { return nil }
            guard isHandshake else { return try receivePlainBeginning(layers, on: loop) }
            // A step may be as expensive as a signature: it is done when the loop has time for one. The poller is not
            // told, unless it asks again before that.
            loop.pending.addWork(identifier, 0, of: account)
            _ = machine.handshakeWaits(for: .nothing)
            return nil
        default: return try receive(from: secure, on: loop)
        }
    }

    private func receive(
        from secure: any SecureTransport, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        switch secure.receive(into: loop.receiveBuffer) {
        case .bytes(let count):
            return try take(UnsafeRawBufferPointer(rebasing: loop.receiveBuffer[..<count]), on: loop)
        case .waitsToReceive: watch(.readable, on: loop)
        case .waitsToSend: watch(.writable, on: loop)
        case .ended: return try peerEnded(on: loop)
        case .failed: return peerLost(on: loop)
        case .refused(let reason):
            loop.tellOfClient(.clientRefused(reason))
            return peerLost(on: loop)
        }
        // The transport may hold a part of what comes.
        loop.account(for: self)
        return nil
    }

    // MARK: Handshake

    /// Goes on with a handshake.
    func handshake(on loop: EventLoop) {
        guard let layers, let secure = layers.transport else { return }
        handle(on: loop) { () throws(SystemError) in
            switch secure.handshake() {
            case .done:
                if let event = secure.version?.event(isResumed: secure.isResumed) { loop.statistics.count(event) }
                guard secure.hasStreams else { return try beginRequests(through: secure, on: loop) }
                return try settle(beginStreams(layers, on: loop), on: loop)
            case .waitsToReceive: return machine.handshakeWaits(for: .readable)
            case .waitsToSend: return machine.handshakeWaits(for: .writable)
            case .failed(let reason): loop.tellOfClient(.handshakeFailed(reason))
            case .refused(let reason): loop.tellOfClient(.certificateRefused(reason))
            case .ended: return peerLost(on: loop)
            }
            return try settle(.done(lingers: true), on: loop)
        }
    }

    /// Reads the first request, which often comes with the last message of the handshake. A client may hold it back until
    /// we have sent something (RFC 9293 section 3.7.4), so that what was left for the answer goes ahead of it.
    private func beginRequests(
        through secure: any SecureTransport, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        _ = machine.handshakeDone(at: loop.time.monotonic)
        loop.schedule(self)
        let action = try receive(from: secure, on: loop)
        if machine.reads { secure.sendHeld() }
        return action
    }

    /// Whether the bytes are for the transport to read; nil if there are none. A request's first byte begins no record
    /// of TLS (RFC 8446 section 5.1), so that one byte decides; it stays in the socket unless it may begin a request.
    private func beginsHandshake(_ layers: ConnectionLayers, on loop: EventLoop) throws(SystemError) -> Bool? {
        guard case .unknown = layers.spoken else { return true }
        guard input.isEmpty else { return false }
        let first = UnsafeMutableRawBufferPointer(rebasing: loop.receiveBuffer[..<1])
        guard let count = try descriptor.peek(into: first) else { return nil }
        guard count > 0, ByteSet.token.contains(first[0]) else {
            layers.speak(.requests)
            return true
        }
        return false
    }

    private func receivePlainBeginning(
        _ layers: ConnectionLayers, on loop: EventLoop
    ) throws(SystemError) -> ConnectionMachine.Action? {
        let rest = UnsafeMutableRawBufferPointer(
            rebasing: loop.receiveBuffer[..<(PlainBeginning.maxLength - input.count)])
        guard let count = try descriptor.receive(into: rest) else { return nil }
        guard count > 0 else { return peerLost(on: loop) }
        input.append(contentsOf: rest[..<count])
        switch PlainBeginning(input.span) {
        case .incomplete: return nil
        case .request: refuse(.plainRequest, isHead: loop.parser.isHead(input.span), on: loop)
        case .unknown: loop.tellOfClient(.handshakeFailed("its peer began with neither TLS nor HTTP"))
        }
        input = []
        layers.drop()
        return try settle(.done(lingers: true), on: loop)
    }

    // MARK: Output

    /// Gives the transport what there is to send; what it would not take.
    func sendSecurely(isLast: Bool, on loop: EventLoop) throws(SystemError) -> [UInt8] {
        guard let secure = layers?.transport else { return try loop.output.send(after: output, to: descriptor) }
        return try loop.output.send(after: output, to: SecureSink(transport: secure, isLast: isLast))
    }
}

/// A secure transport as what takes bytes to be sent.
private struct SecureSink: ByteSink {
    let transport: any SecureTransport
    let isLast: Bool

    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        switch transport.send(bytes, isFollowed: isLast) {
        case .bytes(let count): return count
        case .waitsToSend: return nil
        case .waitsToReceive, .ended, .failed, .refused: throw SystemError(operation: "send securely", code: EPIPE)
        }
    }
}

/// How a peer begins that does not begin with a handshake, where one is expected.
enum PlainBeginning: Equatable {
    /// It may become the method of a request.
    case incomplete
    /// A request line's method and the space after it (RFC 9112 section 3), or a preface (RFC 9113 section 3.4).
    case request
    case unknown

    /// The longest method, with its space, that is waited for; those that are registered have less than twenty letters.
    static let maxLength = 32

    init(_ bytes: Span<UInt8>) {
        let end = bytes.end(of: .token, from: 0)
        guard end == bytes.count else {
            self = end > 0 && bytes[end] == .space ? .request : .unknown
            return
        }
        self = end < Self.maxLength ? .incomplete : .unknown
    }
}
