/// What a connection makes of its peer's first bytes where a handshake is expected.
extension Connection {
    /// Whether the bytes are the transport's to read. A request's first byte begins no record of TLS (RFC 8446 section 5.1),
    /// so that one byte decides; it stays where it is unless it may be a request's.
    func beginsHandshake(_ layers: ConnectionLayers, on loop: EventLoop) throws(SystemError) -> Bool {
        guard !layers.isRecognised else { return true }
        if input.isEmpty {
            let first = UnsafeMutableRawBufferPointer(rebasing: loop.receiveBuffer[..<1])
            guard let count = try descriptor.peek(into: first) else { return false }
            guard count > 0, ByteSet.token.contains(first[0]) else {
                layers.recognised()
                return true
            }
        }
        try receivePlainBeginning(layers, on: loop)
        return false
    }

    private func receivePlainBeginning(_ layers: ConnectionLayers, on loop: EventLoop) throws(SystemError) {
        let room = UnsafeMutableRawBufferPointer(
            rebasing: loop.receiveBuffer[..<(PlainBeginning.maxLength - input.count)])
        guard let count = try descriptor.receive(into: room) else { return }
        guard count > 0 else { return perform(machine.peerEnded(), on: loop) }
        input.append(contentsOf: room[..<count])
        switch PlainBeginning(input.span) {
        case .incomplete: return
        case .request: refuse(.plainRequest, isHead: false, on: loop)
        case .unknown: loop.tellOfClient(.handshakeFailed("its peer began with neither TLS nor HTTP"))
        }
        input = []
        layers.drop()
        settle(.done(lingers: true), on: loop)
    }
}

/// What a peer begins with who does not begin with a handshake, where one is expected.
enum PlainBeginning: Equatable {
    /// It may become the method of a request.
    case incomplete
    /// A request line's method and the space behind it (RFC 9112 section 3), or a preface (RFC 9113 section 3.4).
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
