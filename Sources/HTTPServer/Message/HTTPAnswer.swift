/// When an answer is given.
package enum HTTPAnswer {
    /// At once, in the turn that read the request.
    case now(HTTPResponse)
    /// After work that is too long for the reading turn, such as a signature. The loop runs one piece of work between
    /// two looks at its sockets, in the order of arrival; what it returns is the answer, or what that waits for next.
    case afterWork((ServerTime) -> HTTPAnswer)
    /// The same for work whose costly part can be done for several requests at once. If enough of them wait when its turn
    /// comes, it is done for all of them before the work of each; otherwise the work does it.
    case afterBatch(any BatchableWork, (ServerTime) -> HTTPAnswer)
    /// Later, by another thread: the closure is called on the loop at once and hands the promise on. The connection
    /// waits for as long as it takes.
    case later((consuming LateAnswer) -> Void)

    /// The same answer at the same time, its response changed.
    package func map(_ change: @escaping @Sendable (HTTPResponse) -> HTTPResponse) -> HTTPAnswer {
        switch self {
        case .now(let response): .now(change(response))
        case .afterWork(let work): .afterWork { time in work(time).map(change) }
        case .afterBatch(let batch, let work): .afterBatch(batch) { time in work(time).map(change) }
        case .later(let begin): .later { promise in begin(promise.mapping { $0.map(change) }) }
        }
    }
}

/// The costly part of a request's work, which takes less time for several requests at once.
package protocol BatchableWork: AnyObject {
    /// For how many requests, this one included, it is worth doing at once.
    var batchSizes: ClosedRange<Int> { get }

    /// Does it for this request and the others.
    func perform(with others: [any BatchableWork], at time: ServerTime)
}

/// A promise to answer one request, which any thread may keep. It is answered exactly once: for a promise that is
/// released without an answer, the server answers `RequestRejection.abandoned`.
package struct LateAnswer: ~Copyable, Sendable {
    typealias Change = @Sendable (HTTPAnswer) -> HTTPAnswer

    /// The request that waits for the answer.
    package let request: AwaitingRequest
    private let change: Change?
    /// Where the answer goes; nil once it was given.
    private var mailbox: (any LateAnswerMailbox)?

    init(to request: AwaitingRequest, mailbox: any LateAnswerMailbox, change: Change? = nil) {
        (self.request, self.mailbox, self.change) = (request, mailbox, change)
    }

    deinit { mailbox?.abandon(request, change) }

    /// Hands the answer to the loop, from any thread: the closure runs there, with the loop's clocks, and must not
    /// block. It does not run if the client has disconnected.
    package consuming func give(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        guard let change else { return post(answer) }
        post { time in change(answer(time)) }
    }

    /// The same promise, whose answer is changed when it is given.
    consuming func mapping(_ next: @escaping Change) -> LateAnswer {
        let (earlier, owner) = (change, mailbox)
        mailbox = nil
        guard let owner else { return self }
        let both: Change = { answer in next(earlier?(answer) ?? answer) }
        return LateAnswer(to: request, mailbox: owner, change: both)
    }

    private consuming func post(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        mailbox?.deliver(answer, to: request)
        mailbox = nil
    }
}

/// A request that waits for a promised answer, as any thread may see it.
package struct AwaitingRequest: Sendable {
    /// Kept by the connection until the answer has come, or is not needed.
    final class Life: Sendable {}

    package let connection: ConnectionIdentity
    /// Which of the connection's requests; 0 where it has one at a time.
    let stream: UInt32
    private weak let life: Life?

    init(connection: ConnectionIdentity, stream: UInt32 = 0, life: Life) {
        (self.connection, self.stream, self.life) = (connection, stream, life)
    }

    /// Whether its connection and stream are open and not answered. A client that only ends its side still waits.
    package var isAwaited: Bool { life != nil }
}

/// A connection among those of all event loops, while it is open.
package struct ConnectionIdentity: Hashable, Sendable {
    /// The loop's mailbox.
    let loop: ObjectIdentifier
    /// Its number on the loop.
    let number: UInt64
}

/// Takes promised answers to their loop, from any thread.
protocol LateAnswerMailbox: AnyObject, Sendable {
    func deliver(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer, to request: AwaitingRequest)
    func abandon(_ request: AwaitingRequest, _ change: LateAnswer.Change?)
}
