/// The requests of one connection that has several at a time: puts each together and has it answered. It belongs to the
/// connection's loop.
package final class StreamRequests {
    // They outlive it: the connection owns it with its layers, and the loop the connection. To make sure of that at
    // each look would cost a request more than its parsing.
    private unowned(unsafe) let connection: Connection
    private unowned(unsafe) let loop: EventLoop
    // The loop's, kept here as well: a look at it there would be counted.
    private let output: OutputBuffer
    private let assembly: RequestAssembly

    init(_ connection: Connection, on loop: EventLoop) {
        (self.connection, self.loop) = (connection, loop)
        output = loop.output
        assembly = RequestAssembly(limits: loop.settings.limits)
    }

    /// The monotonic clock, in nanoseconds, as it was when the turn began.
    package var now: UInt64 { loop.time.monotonic }

    /// The same moment in whole seconds since 1970.
    package var second: Int64 { loop.time.epochSeconds }

    /// Calls with the value of `Date` (RFC 9110 section 6.6.1), valid during the call.
    package func withDate(_ body: (UnsafeRawBufferPointer) -> Void) {
        loop.stamps.date.value.withUnsafeBytes { body($0) }
    }

    /// Reports to the operator why a session was ended, for what its peer did.
    package func tellOfEnd(_ reason: String) { loop.tellOfClient(.clientRefused(reason)) }

    // MARK: Output

    /// Whether more may be added to what is sent next: there is space for it, and the peer has taken all earlier
    /// output.
    package var hasRoom: Bool { output.count < EventLoop.outputAtOnce && !connection.machine.flushes }

    /// Adds bytes to what is sent next; check `hasRoom` first if there are many. Call it only as the session receives,
    /// or from `StreamSession.produce`, since connections share the buffer.
    package func put(_ bytes: UnsafeRawBufferPointer) { output.append(bytes) }

    /// Adds a range of an answer's content.
    package func put(_ content: HTTPContent, _ range: Range<Int>) { output.append(content, range) }

    // MARK: A request

    /// Whether there is memory for one more stream.
    package var admitsStream: Bool {
        guard let step = loop.shedder.step else { return true }
        guard step >= .streams || loop.shared.budget.isOverShare(connection.account) else { return true }
        loop.statistics.count(.streamRefused)
        return false
    }

    /// Bytes that the request which is put together takes.
    var memory: Int { assembly.memory }

    /// Frees what is needed again once a request comes.
    func trim() { assembly.trim() }

    /// A request begins; an unfinished one before it is dropped.
    package func begin() { assembly.begin() }

    /// Takes the request's next field, pseudo-fields first; false if there are far more than allowed, so that the rest
    /// is not worth decoding.
    package func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        assembly.add(name, value)
    }

    /// Bytes of the body that the request announces; nil if it does not say.
    package var contentLength: Int? { assembly.contentLength }

    /// Whether a field may follow a body.
    package static func mayTrail(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        StreamField.isValid(Span(_unsafeBytes: name), value)
    }

    /// Asks for the answer to the request, which is whole but for its body if it has one.
    package func answer(_ stream: UInt32, hasBody: Bool) -> StreamOutcome {
        switch assembly.finish(hasBody: hasBody) {
        case .request(let head): return answer(stream, head).map { .answered($0) } ?? .pending
        case .fault(.refused(let reason)): return .answered(refuse(reason))
        case .fault(.malformed): return .malformed
        }
    }

    private func answer(_ stream: UInt32, _ head: RequestHead) -> StreamAnswer? {
        withOwners { connection, loop in
            connection.machine.requestBegan()
            // Taken apart at once: copying the optional tuple takes a call of the runtime for each part.
            guard let (request, response) = connection.answer(head, in: assembly.bytes, of: stream, on: loop) else {
                return nil
            }
            return give(response, to: request)
        }
    }

    private func refuse(_ reason: RequestRejection) -> StreamAnswer {
        connection.machine.requestBegan()
        let request = OpenRequest(
            refusedWithID: loop.stamps.nextRequestID(), isHead: assembly.isHead, isPersistent: true,
            began: loop.time.monotonic
        )
        return give(loop.application.refuse(reason), to: request)
    }

    /// The answer for a stream, counted and reported.
    private func give(
        _ response: consuming HTTPResponse, to request: OpenRequest, after duration: UInt64 = 0
    ) -> StreamAnswer {
        withOwners { connection, loop in
            connection.record(response, to: request, after: duration, isOfStream: true, on: loop)
        }
        return StreamAnswer(
            response: consume response, requestID: request.context.requestID, givenID: request.trace?.givenID,
            isHead: request.context.isHead, isLast: connection.machine.isOverLimit)
    }

    /// The same for a request that had to wait.
    func give(_ ready: PendingAnswers.Ready) -> StreamAnswer {
        give(ready.response, to: ready.request, after: ServerTime.nanoseconds(since: ready.request.began))
    }

    /// A stream has ended: its answer is not needed.
    package func forget(_ stream: UInt32) { connection.pending.remove(stream) }

    /// Calls with both, uncounted.
    @inline(__always)
    private func withOwners<Value>(_ body: (Connection, EventLoop) -> Value) -> Value {
        Unmanaged.passUnretained(connection)._withUnsafeGuaranteedRef { connection in
            Unmanaged.passUnretained(loop)._withUnsafeGuaranteedRef { loop in body(connection, loop) }
        }
    }
}
