import CLinux
import Glibc
import Locking

/// How other threads speak to a loop: messages under a lock, and an eventfd that wakes its poller.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case drain
        case stop
        /// What of the settings can change is so from now on.
        case settings(ServerSettings)
        /// Requests are answered by this from now on.
        case application(HTTPApplication)
        /// Somebody wants to know that the loop turns.
        case turn(@Sendable () -> Void)
        /// A connection beyond the limits makes room for another.
        case evicted(connection: UInt64)
        /// A promise is kept: how the connection's request is answered.
        case answer(connection: UInt64, stream: UInt32, @Sendable (ServerTime) -> HTTPAnswer)
        /// A promise was let go without an answer; what is answered instead is changed as its answer would have been.
        case abandoned(connection: UInt64, stream: UInt32 = 0, LateAnswer.Change?)
    }

    let descriptor: Descriptor
    private let state = Guarded(State())

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    init() throws(SystemError) {
        let number = try System.must("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        descriptor = Descriptor(takingOwnershipOf: number)
    }

    /// Leaves a message. Whoever finds the box empty wakes the loop, and nobody else has to: it empties the box at once.
    /// Where the box is closed, who asks for a turn is answered at once, and nothing else is left to be done.
    func post(_ message: Message) {
        let (wasEmpty, isClosed) = state.withLock { state in
            let found = (state.messages.isEmpty, state.isClosed)
            if !state.isClosed { state.messages.append(message) }
            return found
        }
        guard !isClosed else { return Mailbox.answer(message) }
        if wasEmpty { eventfd_write(descriptor.number, 1) }
    }

    /// Takes no message from now on: the loop has ended as it was told to, and nobody waits for its turn any more.
    func close() {
        let left = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.messages
        }
        for message in left { Mailbox.answer(message) }
    }

    private static func answer(_ message: Message) {
        if case .turn(let tell) = message { tell() }
    }

    /// All messages since the last look; the loop's to call. The bell is reset before the box is emptied, so that a
    /// message that comes in between rings again.
    func takeAll() -> [Message] {
        var count = eventfd_t()
        eventfd_read(descriptor.number, &count)
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }
}

extension Mailbox: LateAnswerMailbox {
    func deliver(connection: UInt64, stream: UInt32, _ answer: @escaping @Sendable (ServerTime) -> HTTPAnswer) {
        post(.answer(connection: connection, stream: stream, answer))
    }

    func abandon(connection: UInt64, stream: UInt32, _ change: LateAnswer.Change?) {
        post(.abandoned(connection: connection, stream: stream, change))
    }
}
