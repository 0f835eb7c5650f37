import CLinux
import Glibc

/// What a descriptor's owner waits for. A hang-up or an error is always reported.
enum Interest: Equatable {
    case nothing, readable, writable

    var mask: UInt32 {
        switch self {
        case .nothing: 0
        case .readable: EPOLLIN.rawValue
        case .writable: EPOLLOUT.rawValue
        }
    }
}

/// How a descriptor's readiness is reported.
enum Trigger {
    /// For as long as it is ready.
    case level
    /// Once, when there is something new to read: the kernel is spared a second look at each descriptor that it
    /// reported. The owner has to come back to bytes that it left unread; the peer's end is reported, too.
    case edge

    func mask(_ interest: Interest) -> UInt32 {
        guard self == .edge, interest == .readable else { return interest.mask }
        return interest.mask | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    }
}

/// An epoll instance: readiness of many descriptors, each known by an identifier.
struct Poller: ~Copyable {
    struct Event {
        let identifier: UInt64
        let isReadable: Bool
        let isWritable: Bool
        /// The peer has ended its side; reported where the trigger is the edge.
        let hasEnded: Bool
        /// The peer reset the connection, or both sides have ended.
        let isGone: Bool
    }

    private static let batch = 256
    private let descriptor: Descriptor
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(SystemError) {
        let number = try System.must("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        descriptor = Descriptor(takingOwnershipOf: number)
        events = .allocate(capacity: Poller.batch)
    }

    deinit { events.deallocate() }

    /// Watches a descriptor; `sharedWakesOne`: it is watched by other pollers too, and one of them is enough.
    func add(
        _ number: Int32, _ interest: Interest, as identifier: UInt64, by trigger: Trigger = .level,
        sharedWakesOne: Bool = false
    ) throws(SystemError) {
        let flags = sharedWakesOne ? EPOLLEXCLUSIVE.rawValue : 0
        var event = epoll_event(events: trigger.mask(interest) | flags, data: epoll_data_t(u64: identifier))
        try System.must("epoll_ctl") { epoll_ctl(descriptor.number, EPOLL_CTL_ADD, number, &event) }
    }

    func change(
        _ number: Int32, to interest: Interest, as identifier: UInt64, by trigger: Trigger
    ) throws(SystemError) {
        var event = epoll_event(events: trigger.mask(interest), data: epoll_data_t(u64: identifier))
        try System.must("epoll_ctl") { epoll_ctl(descriptor.number, EPOLL_CTL_MOD, number, &event) }
    }

    func remove(_ number: Int32) throws(SystemError) {
        try System.must("epoll_ctl") { epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, nil) }
    }

    /// Waits for a batch of events, at most so many milliseconds (-1: for as long as it takes); how many there are.
    @inline(__always)
    func wait(milliseconds: Int32) throws(SystemError) -> Int {
        try Int(System.must("epoll_wait") { epoll_wait(descriptor.number, events, Int32(Poller.batch), milliseconds) })
    }

    /// An event of the last batch.
    func event(_ index: Int) -> Event {
        let event = events[index]
        let gone = EPOLLHUP.rawValue | EPOLLERR.rawValue
        return Event(
            identifier: event.data.u64, isReadable: event.events & EPOLLIN.rawValue != 0,
            isWritable: event.events & EPOLLOUT.rawValue != 0, hasEnded: event.events & EPOLLRDHUP.rawValue != 0,
            isGone: event.events & gone != 0)
    }
}
