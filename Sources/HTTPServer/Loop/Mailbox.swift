import CLinux
import Glibc
import Locking

/// How other threads speak to a loop: messages under a lock, and an eventfd that wakes its poller.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case drain
        case stop
    }

    let descriptor: Descriptor
    private let messages = Guarded<[Message]>([])

    init() throws(SystemError) {
        let number = try System.must("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        descriptor = Descriptor(takingOwnershipOf: number)
    }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        eventfd_write(descriptor.number, 1)
    }

    /// All messages since the last look; the loop's to call.
    func takeAll() -> [Message] {
        var count = eventfd_t()
        eventfd_read(descriptor.number, &count)
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
