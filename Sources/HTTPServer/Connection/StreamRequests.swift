/// The requests of one connection that has several at a time: puts each together, asks the application, and keeps what is
/// owed. It belongs to the connection's loop.
package final class StreamRequests {
    private struct Owed {
        let request: PendingAnswer
        var work: ((ServerTime) -> HTTPAnswer)?
    }

    // They outlive it: the connection owns it with its layers, and the loop the connection. To make sure of that at each
    // look would cost a request more than its parsing.
    private unowned(unsafe) let connection: Connection
    private unowned(unsafe) let loop: EventLoop
    // The loop's, kept here as well, since what is looked up there is counted at each look.
    private let statistics: LoopStatistics
    private let output: OutputBuffer
    private let assembly: RequestAssembly
    private var owed: [UInt32: Owed] = [:]
    /// Streams whose work waits; the loop's line has the connection once for each.
    private var working = FIFO<UInt32>()
    private var finished: [(stream: UInt32, answer: StreamAnswer)] = []

    init(_ connection: Connection, on loop: EventLoop) {
        (self.connection, self.loop) = (connection, loop)
        (statistics, output) = (loop.statistics, loop.output)
        assembly = RequestAssembly(limits: loop.settings.limits)
    }

    /// The monotonic clock, in nanoseconds, as it was when the turn began.
    package var now: UInt64 { loop.time.monotonic }

    /// The same moment in whole seconds since 1970.
    package var second: Int64 { loop.time.epochSeconds }

    /// Calls with the value of `Date` (RFC 9110 section 6.6.1), valid during the call.
    package func withDate(_ body: (UnsafeRawBufferPointer) -> Void) { loop.date.value.withUnsafeBytes { body($0) } }

    /// Tells the operator why a session was ended, for what its peer did.
    package func tellOfEnd(_ reason: String) { loop.tellOfClient(.clientRefused(reason)) }

    // MARK: Output

    /// Whether more may be put behind what is sent next: there is room for it, and the peer has taken what there was before.
    package var hasRoom: Bool { output.count < EventLoop.outputAtOnce && !connection.machine.flushes }

    /// Puts bytes behind what is sent next; who has much looks for room first. Only as the session receives, or when it is asked
    /// for them (`StreamSession.produce`), since connections share the place.
    package func put(_ bytes: UnsafeRawBufferPointer) { output.append(bytes) }

    // MARK: A request

    /// A request begins; an unfinished one before it is forgotten.
    package func begin() { assembly.begin() }

    /// Takes the request's next field, pseudo-fields first; false if there are far more than may be, so that the rest is
    /// not worth decoding.
    package func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        assembly.add(name, value)
    }

    /// Bytes of the body that the request announces; nil if it does not say.
    package var contentLength: Int? { assembly.contentLength }

    /// Whether a field may stand behind a body.
    package static func mayTrail(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        StreamField.isValid(Span(_unsafeBytes: name), value)
    }

    /// Asks for the answer to the request, which is whole but for its body if it has one.
    package func answer(_ stream: UInt32, hasBody: Bool) -> StreamOutcome {
        switch assembly.finish(hasBody: hasBody) {
        case .request(let head): return answer(stream, head, begun()).map { .answered($0) } ?? .owed
        case .fault(.refused(let reason)): return .answered(refuse(reason, begun()))
        case .fault(.malformed): return .malformed
        }
    }

    /// Tells whoever counts or times requests of the one that is whole; its number.
    private func begun() -> UInt64 {
        Unmanaged.passUnretained(connection)._withUnsafeGuaranteedRef { $0.machine.requestBegan() }
        return loop.nextRequestID()
    }

    private func answer(_ stream: UInt32, _ head: RequestHead, _ requestID: UInt64) -> StreamAnswer? {
        var request = HTTPRequest(
            bytes: assembly.bytes, head: head, peer: connection.peer.address, client: connection.layers,
            requestID: requestID)
        var pending = PendingAnswer(head, requestID: requestID, began: loop.time.monotonic)
        if head.isTraced { pending.follow(&request, takesID: loop.settings.takesRequestID) }
        if connection.machine.isOverLimit, !loop.application.isExemptFromLimits(request) {
            return give(loop.application.refuse(.tooManyConnections), to: pending)
        }
        // Taken apart at once: a copy of the whole would count each of its parts.
        switch loop.application.respond(request, loop.time) {
        case .now(let response): return give(response, to: pending)
        case .afterWork(let work): owe(after: work, to: pending, stream)
        case .later(let begin): owe(later: begin, to: pending, stream)
        }
        return nil
    }

    private func refuse(_ reason: RequestRejection, _ requestID: UInt64) -> StreamAnswer {
        let context = ResponseContext(
            isHead: assembly.isHead, isVersion10: false, isPersistent: true, requestID: requestID)
        let pending = PendingAnswer(
            method: nil, began: loop.time.monotonic, context: context, leavesBytesUnread: true)
        return give(loop.application.refuse(reason), to: pending)
    }

    /// The answer, of which whoever wants to know is told.
    private func give(
        _ response: consuming HTTPResponse, to request: PendingAnswer, after duration: UInt64 = 0
    ) -> StreamAnswer {
        statistics.countAnswer(response.tally, response.status, after: duration, isOfStream: true)
        Unmanaged.passUnretained(loop)._withUnsafeGuaranteedRef { loop in
            if let observe = loop.application.observe { observe(AccessRecord(request, copy response)) }
        }
        return StreamAnswer(
            response: consume response, requestID: request.context.requestID, givenID: request.trace?.givenID,
            isHead: request.context.isHead, isLast: connection.machine.isOverLimit)
    }

    // MARK: Owed answers

    /// A stream has ended: nobody waits for its answer.
    package func forget(_ stream: UInt32) {
        if !owed.isEmpty { owed[stream] = nil }
    }

    private func owe(_ answer: consuming HTTPAnswer, to request: PendingAnswer, _ stream: UInt32) {
        switch consume answer {
        case .now(let response):
            owed[stream] = nil
            if finished.isEmpty { loop.queueAnswer(of: connection) }
            let duration = ServerTime.nanoseconds(since: request.began)
            finished.append((stream, give(response, to: request, after: duration)))
        case .afterWork(let work): owe(after: work, to: request, stream)
        case .later(let begin): owe(later: begin, to: request, stream)
        }
    }

    private func owe(
        after work: @escaping (ServerTime) -> HTTPAnswer, to request: PendingAnswer, _ stream: UInt32
    ) {
        owed[stream] = Owed(request: request, work: work)
        working.append(stream)
        loop.queueWork(for: connection)
    }

    private func owe(
        later begin: (consuming LateAnswer) -> Void, to request: PendingAnswer, _ stream: UInt32
    ) {
        owed[stream] = Owed(request: request)
        begin(loop.promise(by: connection, to: stream))
    }

    /// Does the work that waits longest, of those whose streams are still there.
    func work() {
        while let stream = working.popFirst() {
            guard let waiting = owed[stream], let work = waiting.work else { continue }
            return owe(work(loop.time), to: waiting.request, stream)
        }
    }

    /// A promise is kept.
    func keepPromise(to stream: UInt32, with answer: @Sendable (ServerTime) -> HTTPAnswer) {
        guard let waiting = owed[stream], waiting.work == nil else { return }
        owe(answer(loop.time), to: waiting.request, stream)
    }

    /// The answers that wait to be sent together.
    func takeFinished() -> [(stream: UInt32, answer: StreamAnswer)] {
        defer { finished = [] }
        return finished
    }
}
