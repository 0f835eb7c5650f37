import Synchronization

/// When an answer is given.
package enum HTTPAnswer {
    /// At once, in the turn that read the request.
    case now(HTTPResponse)
    /// After work that is too long for the reading turn, such as a signature. The loop runs one piece of work between
    /// two looks at its sockets, in the order of arrival; what it returns is the answer, or what that waits for next.
    case afterWork(sharing: (any SharedWork)? = nil, (ServerTime) -> HTTPAnswer)
    /// Later, such as by another thread or an async function: the closure is called on the loop at once and hands the
    /// promise on. The connection waits for as long as it takes.
    case later((LateAnswer) -> Void)
}

/// The costly part of a request's work, which takes less time for several requests at once. When its turn comes, it may be
/// done for others that wait longest, too, whose own turns then find it done. Nothing waits for others to come.
package protocol SharedWork: AnyObject {
    /// For how many requests, this one included, it can be done now; 1 once it is done.
    var mostAtOnce: Int { get }

    /// Does it for this request and the others, if they are enough. It is called before this request's own work.
    func perform(with others: [any SharedWork], at time: ServerTime)
}

/// A promise to answer one request, which any thread may keep. Only the first answer counts; if none is given before the
/// last reference goes, the server answers `RequestRejection.abandoned`.
package final class LateAnswer: Sendable {
    /// Kept by the connection until the answer has come, or is not needed.
    final class Life: Sendable {}

    /// The connection of the request.
    package let connection: ConnectionIdentity
    /// Which of the connection's requests; 0 where it has one at a time.
    private let stream: UInt32
    private weak let life: Life?
    private let mailbox: Mailbox
    private let isGiven = Atomic(false)

    init(to stream: UInt32 = 0, of connection: UInt64, _ life: Life, by mailbox: Mailbox) {
        self.connection = ConnectionIdentity(loop: ObjectIdentifier(mailbox), number: connection)
        (self.stream, self.life, self.mailbox) = (stream, life, mailbox)
    }

    deinit {
        if isAwaited, !isGiven.load(ordering: .relaxed) { post(nil) }
    }

    /// Whether the request's connection and stream are open and not answered. A client that only ends its side still waits.
    package var isAwaited: Bool { life != nil }

    /// Hands the answer to the loop, from any thread: the closure runs there, with the loop's clocks, and must not
    /// block. It does not run if the client has disconnected.
    package func give(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        if !isGiven.exchange(true, ordering: .relaxed) { post(answer) }
    }

    /// Hands over an answer that was decided, with all that the decision costs and records, whoever is left to hear it.
    package func give(_ answer: sending HTTPAnswer) {
        let decided = Decided(answer: answer)
        give { _ in decided.answer }
    }

    /// Made by one thread, which then hands it to the loop.
    private struct Decided: @unchecked Sendable { let answer: HTTPAnswer }

    private func post(_ answer: (@Sendable (ServerTime) -> HTTPAnswer)?) {
        mailbox.post(.answer(connection: connection.number, stream: stream, answer))
    }
}

/// A connection among those of all event loops, while it is open.
package struct ConnectionIdentity: Hashable, Sendable {
    /// The loop's mailbox.
    let loop: ObjectIdentifier
    /// Its number on the loop.
    let number: UInt64
}
