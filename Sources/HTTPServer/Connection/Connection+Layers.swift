import Glibc

/// What a connection does otherwise where it is more than HTTP/1.1 in plain bytes.
extension Connection {
    /// The socket is readable, or the transport holds what it has read.
    func readableThroughLayers(on loop: EventLoop) throws(SystemError) {
        guard let layers, let secure = layers.transport else { return try receiveUnsecured(on: loop) }
        switch machine.state {
        case .unannounced:
            // Not a byte more than the header, since what follows is the transport's to read.
            let room = ProxyHeader.missingBytes(behind: input.span)
            try receive(into: UnsafeMutableRawBufferPointer(rebasing: loop.receiveBuffer[..<room]), on: loop)
        case .handshaking:
            guard try beginsHandshake(layers, on: loop) else { return }
            // A step may be as dear as a signature: it is done when the loop has time for one. The poller is not told, unless
            // it asks again before that.
            loop.queueWork(for: self)
            _ = machine.handshakeWaits(for: .nothing)
        default: receive(through: secure, on: loop)
        }
    }

    private func receive(through secure: any SecureTransport, on loop: EventLoop) {
        switch secure.receive(into: loop.receiveBuffer) {
        case .bytes(let count):
            guard let session else { return take(count, of: loop.receiveBuffer, on: loop) }
            received(UnsafeRawBufferPointer(rebasing: loop.receiveBuffer[..<count]), for: session, on: loop)
        case .waitsToReceive: watch(.readable, on: loop)
        case .waitsToSend: watch(.writable, on: loop)
        case .ended: perform(machine.peerEnded(), on: loop)
        case .failed: loop.close(self)
        case .refused(let reason):
            loop.tellOfClient(.clientRefused(reason))
            loop.close(self)
        }
    }

    private func receiveUnsecured(on loop: EventLoop) throws(SystemError) {
        let isRecognised = layers?.isRecognised != false || machine.state == .unannounced
        if session == nil, isRecognised { return try receive(into: loop.receiveBuffer, on: loop) }
        guard let count = try descriptor.receive(into: loop.receiveBuffer) else { return }
        guard count > 0 else { return perform(machine.peerEnded(), on: loop) }
        let bytes = UnsafeRawBufferPointer(rebasing: loop.receiveBuffer[..<count])
        guard let session else { return recognise(bytes, on: loop) }
        received(bytes, for: session, on: loop)
    }

    /// Goes on to the first request once a proxy has said whom it speaks for.
    func begin(_ layers: ConnectionLayers, on loop: EventLoop) {
        if layers.transport != nil { return perform(machine.handshakeWaits(for: .readable), on: loop) }
        recognise(UnsafeRawBufferPointer(start: nil, count: 0), on: loop)
    }

    /// Goes on with a handshake.
    func handshake(on loop: EventLoop) {
        guard let secure = layers?.transport else { return }
        let progress = secure.handshake()
        if case .done = progress, let event = secure.version?.event(isResumed: secure.isResumed) {
            loop.statistics.count(event)
        }
        switch progress {
        case .done where secure.hasStreams:
            beginStreams(on: loop)
            settleStreams(on: loop)
        case .done: perform(machine.handshakeDone(at: loop.time.monotonic), on: loop)
        case .waitsToReceive: perform(machine.handshakeWaits(for: .readable), on: loop)
        case .waitsToSend: perform(machine.handshakeWaits(for: .writable), on: loop)
        case .failed(let reason):
            loop.tellOfClient(.handshakeFailed(reason))
            settle(.done(lingers: true), on: loop)
        case .refused(let reason):
            loop.tellOfClient(.certificateRefused(reason))
            settle(.done(lingers: true), on: loop)
        case .ended: loop.close(self)
        }
    }

    /// Whether the transport has read more than it has given.
    var holdsBytes: Bool { layers?.transport.map(\.holdsBytes) ?? false }

    /// Reads on in the next turn if there is something that the poller knows nothing of.
    func readOn(_ loop: EventLoop) {
        if holdsBytes { loop.queueReading(by: self) }
    }

    /// Gives the transport what there is to send; what it would not take.
    func sendSecurely(on loop: EventLoop) throws(SystemError) -> [UInt8] {
        guard let secure = layers?.transport else { return try loop.output.send(after: output, to: descriptor) }
        return try loop.output.send(after: output, to: SecureSink(transport: secure))
    }
}

/// A secure transport as what takes bytes to be sent.
private struct SecureSink: ByteSink {
    let transport: any SecureTransport

    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        switch transport.send(bytes) {
        case .bytes(let count): return count
        case .waitsToSend: return nil
        case .waitsToReceive, .ended, .failed, .refused: throw SystemError(operation: "send securely", code: EPIPE)
        }
    }
}
