/// What a connection does whose requests come as streams.
extension Connection {
    var session: (any StreamSession)? { layers?.session }

    /// Speaks the protocol that has several requests at a time, from the peer's next byte on.
    func beginStreams(on loop: EventLoop) {
        let requests = StreamRequests(self, on: loop)
        guard let session = loop.sessions?.session(answering: requests) else { return loop.close(self) }
        layers?.speak(session, answering: requests)
        loop.statistics.count(.streamsBegun)
        if machine.isDraining { session.drain() }
    }

    /// Takes bytes of streams.
    func received(_ bytes: UnsafeRawBufferPointer, for session: any StreamSession, on loop: EventLoop) {
        session.receive(bytes)
        settleStreams(on: loop)
    }

    /// Looks at the first bytes of a connection on which either protocol may be spoken.
    func recognise(_ bytes: UnsafeRawBufferPointer, on loop: EventLoop) {
        input.append(contentsOf: bytes)
        guard let preface = loop.settings.streams?.preface else { return }
        let expected = UnsafeBufferPointer(start: preface.utf8Start, count: preface.utf8CodeUnitCount)
        let isSame = zip(input, expected).allSatisfy { $0 == $1 }
        if isSame, input.count < expected.count { return settle(input.isEmpty ? .idle : .partial, on: loop) }
        layers?.recognised()
        guard isSame else { return proceed(on: loop) }
        let first = input
        input = []
        beginStreams(on: loop)
        guard let session else { return }
        first.withUnsafeBytes { received($0, for: session, on: loop) }
    }

    /// Gives the kernel what the session has to send, up to what a loop sends at once, and goes on from there. Nothing is
    /// produced while the peer has still to take what there was before.
    func settleStreams(on loop: EventLoop) {
        guard let session, let requests = layers?.requests, !machine.flushes else { return }
        while requests.hasRoom, session.produce() {}
        let isFull = !requests.hasRoom
        do {
            let isFlushed = try flush(loop)
            let end = session.phase.map { ConnectionMachine.Progress.streams($0) } ?? .done(lingers: true)
            // What has to wait for the peer may have more behind it by then.
            let isMore = isFull || (!isFlushed && session.phase != nil)
            perform(
                machine.settle(isMore ? .more : end, isFlushed: isFlushed, at: loop.time.monotonic), on: loop)
        } catch {
            loop.close(self)
        }
    }

    /// Sends the answers that were owed.
    func giveFinishedAnswers(on loop: EventLoop) {
        guard let session, let finished = layers?.requests?.takeFinished() else { return }
        for (stream, answer) in finished { session.answer(stream, with: answer) }
        settleStreams(on: loop)
    }

    /// The time of a stream, or of the session, may be over.
    func streamsTimedOut(on loop: EventLoop) {
        session?.timeOut()
        settleStreams(on: loop)
    }

    /// The server ends.
    func drain(on loop: EventLoop) {
        machine.drain(at: loop.time.monotonic)
        loop.schedule(self)
        guard let session else { return }
        session.drain()
        settleStreams(on: loop)
    }
}
