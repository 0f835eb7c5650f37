/// The requests of one connection whose answers come later, by stream: 0 where requests come one after the other.
///
/// A request is in exactly one place: it waits for work in the loop's line, or for a promise, or its answer is ready to
/// be sent. So it is answered once. All are dropped when the connection ends, or the stream.
struct PendingAnswers {
    /// An answer that waits to be sent with others.
    struct Ready {
        let stream: UInt32
        let request: OpenRequest
        let response: HTTPResponse
    }

    private struct Waiting {
        let request: OpenRequest
        /// Nil where the answer is promised. One type for all that an answer may wait for would be expensive to copy.
        let work: ((ServerTime) -> HTTPAnswer)?
        /// Only kept, while an answer is promised: by it others know that the request waits.
        var life: LateAnswer.Life?
        /// The part of the work that can be done together with others.
        var shared: (any SharedWork)?
    }

    typealias Work = (request: OpenRequest, shared: (any SharedWork)?, work: (ServerTime) -> HTTPAnswer)

    private var waiting: [UInt32: Waiting] = [:]
    private var ready: [Ready] = []
    /// Bytes of the heads of all that wait, of which the application may keep as much.
    private(set) var headBytes = 0

    /// A request waits for work.
    mutating func add(
        _ request: OpenRequest, of stream: UInt32, sharing shared: (any SharedWork)? = nil,
        work: @escaping (ServerTime) -> HTTPAnswer
    ) {
        insert(Waiting(request: request, work: work, shared: shared), of: stream)
    }

    /// A request waits for a promise.
    mutating func addPromised(_ request: OpenRequest, of stream: UInt32, _ life: LateAnswer.Life) {
        insert(Waiting(request: request, work: nil, life: life), of: stream)
    }

    private mutating func insert(_ new: Waiting, of stream: UInt32) {
        headBytes += new.request.headBytes
        waiting[stream] = new
    }

    /// The request of a stream and its work; nil if the stream has ended.
    mutating func takeWork(of stream: UInt32) -> Work? {
        guard let next = waiting[stream], let work = next.work else { return nil }
        remove(stream)
        return (next.request, next.shared, work)
    }

    /// The request of a stream to which an answer is promised; nil if the stream has ended.
    mutating func takePromised(of stream: UInt32) -> OpenRequest? {
        guard let next = waiting[stream], next.work == nil else { return nil }
        remove(stream)
        return next.request
    }

    /// An answer can be sent; whether it is the first one.
    mutating func addReady(_ response: HTTPResponse, to request: OpenRequest, of stream: UInt32) -> Bool {
        ready.append(Ready(stream: stream, request: request, response: response.adding(request.headers)))
        return ready.count == 1
    }

    /// The answers that can be sent.
    mutating func takeReady() -> [Ready] {
        defer { ready = [] }
        return ready
    }

    /// A stream has ended: its answer is not needed.
    mutating func remove(_ stream: UInt32) {
        if let ended = waiting.removeValue(forKey: stream) { headBytes -= ended.request.headBytes }
        // A connection that waits for nothing has no table.
        if waiting.isEmpty { waiting = [:] }
    }
}

extension Connection {
    /// Keeps a request until its answer is ready. One that is ready by now waits to be sent with others.
    func hold(_ request: OpenRequest, of stream: UInt32, for answer: consuming HTTPAnswer, on loop: EventLoop) {
        switch consume answer {
        case .now(let response):
            if pending.addReady(response, to: request, of: stream) { loop.queueAnswers(of: self) }
        case .afterWork(let shared, let work): hold(request, of: stream, sharing: shared, afterWork: work, on: loop)
        case .later(let begin): hold(request, of: stream, forPromise: begin, on: loop)
        }
    }

    func hold(
        _ request: OpenRequest, of stream: UInt32, sharing shared: (any SharedWork)?,
        afterWork work: @escaping (ServerTime) -> HTTPAnswer, on loop: EventLoop
    ) {
        pending.add(request, of: stream, sharing: shared, work: work)
        loop.pending.addWork(identifier, stream, sharing: shared, of: account)
    }

    func hold(
        _ request: OpenRequest, of stream: UInt32, forPromise begin: (LateAnswer) -> Void,
        on loop: EventLoop
    ) {
        let life = LateAnswer.Life()
        pending.addPromised(request, of: stream, life)
        begin(loop.promise(by: self, to: stream, life))
    }

    /// Does the work that a stream's answer waits for, or the next step of the handshake.
    func work(for stream: UInt32, on loop: EventLoop) {
        if machine.handshakes { return loop.closesOverShare(self) ? () : handshake(on: loop) }
        guard let (request, shared, work) = pending.takeWork(of: stream) else { return }
        if let shared { shared.perform(with: loop.pending.takeShared(with: shared), at: loop.time) }
        hold(request, of: stream, for: work(loop.time), on: loop)
    }

    /// The answer that was promised to a stream's request has come.
    func takeLateAnswer(
        to stream: UInt32, _ answer: @Sendable (ServerTime) -> HTTPAnswer, on loop: EventLoop
    ) {
        guard let request = pending.takePromised(of: stream) else { return }
        hold(request, of: stream, for: answer(loop.time), on: loop)
    }
}
