import CLinux
import Concurrency
import Glibc

/// A loop's messages from other threads: a list under a lock, and an eventfd that wakes its poller.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case drain
        case stop
        /// New values for the settings that can change while the server runs.
        case settings(ServerSettings)
        /// Requests are answered by this from now on.
        case application(HTTPApplication)
        /// Asks whether the loop turns.
        case turn(@Sendable () -> Void)
        /// A connection beyond the limits is closed for another.
        case evicted(connection: UInt64)
        /// The promised answer to a connection's request; nil if the promise was released without one.
        case answer(connection: UInt64, stream: UInt32, (@Sendable (ServerTime) -> HTTPAnswer)?)
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

    /// Leaves a message. Only the first message in an empty box wakes the loop, which takes all of them at once. In a
    /// closed box, a question for a turn is answered at once, and other messages are dropped.
    func post(_ message: Message) {
        let (wasEmpty, isClosed) = state.withLock { state in
            let found = (state.messages.isEmpty, state.isClosed)
            if !state.isClosed { state.messages.append(message) }
            return found
        }
        guard !isClosed else { return Mailbox.answer(message) }
        if wasEmpty { eventfd_write(descriptor.number, 1) }
    }

    /// Takes no message from now on: the loop has drained, and has no further turn.
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
