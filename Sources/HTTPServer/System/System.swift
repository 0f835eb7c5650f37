import CLinux
import Concurrency
import Glibc

/// The one place where system calls are made: an interrupted call is made again, one that would block is named, and
/// any other failure keeps errno with the operation's name.
enum System {
    /// The call's result; nil if it would block.
    static func call<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ body: () -> Value
    ) throws(SystemError) -> Value? {
        while true {
            let result = body()
            if result >= 0 { return result }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case let code: throw SystemError(operation: operation(), code: code)
            }
        }
    }

    /// A call that cannot block.
    @discardableResult
    static func must<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ body: () -> Value
    ) throws(SystemError) -> Value {
        guard let result = try call(operation(), body) else {
            throw SystemError(operation: operation(), code: EAGAIN)
        }
        return result
    }
}

/// What takes bytes to be sent.
protocol ByteSink: ~Copyable {
    /// How many of the bytes were taken; nil if none for now.
    borrowing func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int?
}

/// A file descriptor with one owner, closed with the owner.
struct Descriptor: ~Copyable, ByteSink {
    let number: Int32

    init(takingOwnershipOf number: Int32) { self.number = number }

    deinit { close(number) }

    /// Bytes read into the buffer; 0 at the peer's end, nil if nothing is there.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("recv") { recv(number, buffer.baseAddress, buffer.count, 0) }
    }

    /// As `receive`, but the bytes can be received again.
    func peek(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("recv") { recv(number, buffer.baseAddress, buffer.count, Int32(MSG_PEEK)) }
    }

    /// How many bytes wait to be received.
    var receivable: Int {
        var count: Int32 = 0
        return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// How many of the bytes the kernel took; nil if none for now. A vanished peer is an error, never a signal.
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("send") { Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Ends our side; the peer reads to the end of what was sent.
    func shutdownWriting() {
        shutdown(number, Int32(SHUT_WR))
    }

    /// Whether the kernel holds nothing that was sent: the peer has taken it (tcp(7): SIOCOUTQ), or has reset the connection.
    var isTaken: Bool {
        var count: Int32 = 0
        return ioctl(number, UInt(TIOCOUTQ), &count) != 0 || count == 0 || isReset
    }

    /// Whether a connection of TCP is closed (tcp(7): TCP_INFO), whose queue is dropped although it is still counted.
    private var isReset: Bool {
        var (state, size) = (UInt8(0), socklen_t(1))
        return getsockopt(number, Int32(IPPROTO_TCP), TCP_INFO, &state, &size) == 0 && state == UInt8(TCP_CLOSE)
    }

    /// Lets the kernel keep what the peer does not take for so many milliseconds, also after the end of the descriptor
    /// (tcp(7): TCP_USER_TIMEOUT), instead of minutes.
    func keepUntaken(milliseconds: Int32) {
        try? setOption(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, milliseconds)
    }

    /// Lets the end of the descriptor drop what the peer has not taken, and reset the connection (socket(7): SO_LINGER).
    /// Otherwise the kernel keeps it for minutes, for a peer that may never take it.
    func dropUntaken() {
        guard !isTaken else { return }
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout.size(ofValue: atOnce)))
    }

    func setOption(_ level: Int32, _ option: Int32, _ value: Int32) throws(SystemError) {
        var value = value
        try System.must("setsockopt") {
            setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }
}

/// A socket that another owns, for what secures its bytes.
package struct BorrowedSocket {
    private let number: Int32

    /// A socket that is open for as long as this is used.
    package init(_ number: Int32) { self.number = number }

    /// Bytes read into the buffer; 0 at the peer's end, nil if nothing is there.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try System.call("recv") { recv(number, buffer.baseAddress, buffer.count, 0) }
    }

    /// How many of the bytes the kernel took; nil if none for now. Bytes that are followed by more wait for that, at most
    /// 200 ms (tcp(7): TCP_CORK).
    package func send(_ bytes: UnsafeRawBufferPointer, isFollowed: Bool) throws(SystemError) -> Int? {
        let flags = Int32(MSG_NOSIGNAL) | (isFollowed ? Int32(MSG_MORE) : 0)
        return try System.call("send") { Glibc.send(number, bytes.baseAddress, bytes.count, flags) }
    }

    /// Sends the bytes that wait for more: the option, set again, has the kernel do it (tcp(7): TCP_NODELAY).
    package func sendHeld() {
        var isOn: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// A system call that failed: which one, and errno.
package struct SystemError: Error, CustomStringConvertible {
    /// The operation, and what it was about.
    package let operation: String
    /// errno (errno(3)).
    package let code: Int32
    /// The family of the address that could not be listened on (socket(2)); AF_UNSPEC for any other operation.
    package let family: Int32

    /// An operation that failed with a code.
    package init(operation: String, code: Int32, family: Int32 = AF_UNSPEC) {
        (self.operation, self.code, self.family) = (operation, code, family)
    }

    static let outOfMemory = SystemError(operation: "secure a connection", code: ENOMEM)

    package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// What a descriptor's owner waits for. A hang-up or an error is always reported.
enum Interest: Equatable {
    case nothing, readable, writable
    /// The end of both sides: once now, if they have ended, and once when nothing is left to take.
    case end

    var mask: UInt32 {
        switch self {
        case .nothing: 0
        case .readable: EPOLLIN.rawValue
        case .writable: EPOLLOUT.rawValue
        case .end: EPOLLET.rawValue
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
        /// The peer reset the connection.
        let hasFailed: Bool
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
        let hasFailed = event.events & EPOLLERR.rawValue != 0
        return Event(
            identifier: event.data.u64, isReadable: event.events & EPOLLIN.rawValue != 0,
            isWritable: event.events & EPOLLOUT.rawValue != 0, hasEnded: event.events & EPOLLRDHUP.rawValue != 0,
            isGone: hasFailed || event.events & EPOLLHUP.rawValue != 0, hasFailed: hasFailed)
    }
}

/// One reading of both clocks, shared by all that a loop does in one turn.
package struct ServerTime: Sendable {
    /// `MonotonicTime`, for deadlines and durations.
    package let monotonic: UInt64
    /// Seconds since the epoch, for dates and claims.
    package let epochSeconds: Int64

    /// A reading of both clocks.
    package init(monotonic: UInt64, epochSeconds: Int64) {
        self.monotonic = monotonic
        self.epochSeconds = epochSeconds
    }

    /// The clocks as they are now.
    package static func now() -> ServerTime {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return ServerTime(monotonic: MonotonicTime.now(), epochSeconds: Int64(wall.tv_sec))
    }

    /// Nanoseconds since that moment of the monotonic clock; 0 if it is in the future.
    package static func nanoseconds(since began: UInt64) -> UInt64 {
        let now = MonotonicTime.now()
        return now > began ? now - began : 0
    }
}
