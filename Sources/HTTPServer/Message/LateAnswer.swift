/// A promise to answer one request, which any thread may keep. It is kept exactly once: a promise that is let go without
/// an answer is answered by the server, as `RequestRejection.abandoned`.
package struct LateAnswer: ~Copyable, Sendable {
    typealias Change = @Sendable (HTTPAnswer) -> HTTPAnswer

    private let connection: UInt64
    /// Which of the connection's requests, where it has several at a time.
    private let stream: UInt32
    private let change: Change?
    /// Where the loop is told; nil once it has been.
    private var mailbox: Mailbox?

    init(connection: UInt64, stream: UInt32 = 0, mailbox: Mailbox, change: Change? = nil) {
        (self.connection, self.stream) = (connection, stream)
        self.mailbox = mailbox
        self.change = change
    }

    deinit { mailbox?.post(.abandoned(connection: connection, stream: stream, change)) }

    /// Hands the answer to the loop, from any thread: the closure runs there, with the loop's clocks, and must not block.
    /// For a client that has gone meanwhile it does not run at all.
    package consuming func give(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        guard let change else { return post(answer) }
        post { time in change(answer(time)) }
    }

    /// The same promise, whatever it is kept with changed.
    consuming func mapping(_ next: @escaping Change) -> LateAnswer {
        let (earlier, owner) = (change, mailbox)
        mailbox = nil
        guard let owner else { return self }
        let both: Change = { answer in next(earlier?(answer) ?? answer) }
        return LateAnswer(connection: connection, stream: stream, mailbox: owner, change: both)
    }

    private consuming func post(_ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        mailbox?.post(.answer(connection: connection, stream: stream, answer))
        mailbox = nil
    }
}
