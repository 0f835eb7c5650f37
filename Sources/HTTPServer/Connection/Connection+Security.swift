import Glibc

/// What a connection does otherwise where its bytes are not plain on the socket.
extension Connection {
    /// The socket is readable, or the transport holds what it has read.
    func securelyReadable(on loop: EventLoop) throws(SystemError) {
        guard let secure = security?.transport else { return try receive(into: loop.receiveBuffer, on: loop) }
        switch machine.state {
        case .unannounced:
            // Not a byte more than the header, since what follows is the transport's to read.
            let room = ProxyHeader.missingBytes(behind: input.span)
            try receive(into: UnsafeMutableRawBufferPointer(rebasing: loop.receiveBuffer[..<room]), on: loop)
        case .handshaking:
            // A step may be as dear as a signature: it is done when the loop has time for one. The poller is not told, unless
            // it asks again before that.
            loop.queueWork(for: self)
            _ = machine.handshakeWaits(for: .nothing)
        default: receive(through: secure, on: loop)
        }
    }

    private func receive(through secure: any SecureTransport, on loop: EventLoop) {
        switch secure.receive(into: loop.receiveBuffer) {
        case .bytes(let count): take(count, of: loop.receiveBuffer, on: loop)
        case .waitsToReceive: watch(.readable, on: loop)
        case .waitsToSend: watch(.writable, on: loop)
        case .ended: perform(machine.peerEnded(), on: loop)
        case .failed: loop.close(self)
        case .refused(let reason):
            loop.tellOfPeer(reason)
            loop.close(self)
        }
    }

    /// Goes on with a handshake.
    func handshake(on loop: EventLoop) {
        guard let secure = security?.transport else { return }
        switch secure.handshake() {
        case .done: perform(machine.handshakeDone(at: loop.time.monotonic), on: loop)
        case .waitsToReceive: perform(machine.handshakeWaits(for: .readable), on: loop)
        case .waitsToSend: perform(machine.handshakeWaits(for: .writable), on: loop)
        case .plainRequest:
            security?.drop()
            refuse(.plainRequest, isHead: false, on: loop)
            settle(.done(lingers: true), on: loop)
        case .failed(let reason):
            loop.tellOfHandshake(reason)
            settle(.done(lingers: true), on: loop)
        case .ended: loop.close(self)
        }
    }

    /// Whether the transport has read more than it has given.
    var holdsBytes: Bool { security?.transport.map(\.holdsBytes) ?? false }

    /// Reads on in the next turn if there is something that the poller knows nothing of.
    func readOn(_ loop: EventLoop) {
        if holdsBytes { loop.queueReading(by: self) }
    }

    /// Gives the transport what there is to send; what it would not take.
    func sendSecurely(on loop: EventLoop) throws(SystemError) -> [UInt8] {
        guard let secure = security?.transport else { return try loop.output.send(after: output, to: descriptor) }
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
