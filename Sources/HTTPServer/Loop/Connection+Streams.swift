/// What a connection does whose requests come as streams, and how it finds out that they do.
extension Connection {
    /// Gives an event to the session, and puts what that has to send into the loop's output, up to what a loop sends at
    /// once. Nothing is produced while the peer has still to take what there was before.
    func serveStreams(
        _ event: ProtocolEvent, _ session: any StreamSession, _ requests: StreamRequests
    ) -> ConnectionMachine.Progress? {
        switch event {
        case .received(let bytes): session.receive(bytes)
        // The peer has taken what there was, maybe slowly.
        case .remaining: session.endStalled(after: .max)
        case .answersReady:
            for ready in pending.takeReady() { session.answer(ready.stream, with: requests.give(ready)) }
        case .timedOut: session.timeOut()
        case .pressed(let patience): session.endStalled(after: patience)
        case .draining: session.drain()
        case .peerEnded: session.peerEnded()
        }
        guard !machine.flushes else { return nil }
        while requests.hasRoom, session.produce() {}
        guard requests.hasRoom else { return .more }
        return session.phase.map { .streams($0) } ?? .done(lingers: true)
    }

    /// Speaks the protocol that has several requests at a time, from the peer's next byte on.
    func beginStreams(_ layers: ConnectionLayers, on loop: EventLoop) -> ConnectionMachine.Progress? {
        let requests = StreamRequests(self, on: loop)
        // The protocol is out of memory.
        guard let session = loop.sessions?.session(answering: requests) else { return .done(lingers: false) }
        layers.speak(.streams(session, requests))
        loop.statistics.count(.streamsBegun)
        if machine.isDraining { session.drain() }
        return serveStreams(.remaining, session, requests)
    }

    /// Looks at the first bytes of a connection on which either protocol may be spoken.
    func recognise(
        _ event: ProtocolEvent, _ layers: ConnectionLayers, on loop: EventLoop
    ) -> ConnectionMachine.Progress? {
        switch event {
        case .received(let bytes): input.append(contentsOf: bytes)
        case .remaining: break
        case .answersReady, .timedOut, .pressed, .draining, .peerEnded: return serveRequests(event, on: loop)
        }
        guard let preface = loop.settings.streams?.preface else { return nil }
        let expected = UnsafeBufferPointer(start: preface.utf8Start, count: preface.utf8CodeUnitCount)
        let isSame = zip(input, expected).allSatisfy { $0 == $1 }
        if isSame, input.count < expected.count { return input.isEmpty ? .idle : .partial }
        guard isSame else {
            layers.speak(.requests)
            return serveRequests(.remaining, on: loop)
        }
        let first = input
        input = []
        let progress = beginStreams(layers, on: loop)
        guard case .streams(let session, let requests) = layers.spoken else { return progress }
        return first.withUnsafeBytes { serveStreams(.received($0), session, requests) }
    }
}
