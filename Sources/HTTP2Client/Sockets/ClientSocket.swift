import Glibc
import SystemFiles

/// A TCP socket that never blocks: the one owner of its descriptor.
final class ClientSocket {
    let descriptor: Int32

    /// Begins to connect. Throws the system's reason.
    init(connectingTo address: ServerAddress) throws(SocketFailure) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, type, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { throw SocketFailure(code: errno) }
        // What is sent together is written together: nothing is gained by waiting for more.
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // An interrupted call goes on in the background, as one that would block (connect(2)).
        let result = address.withSockaddr { connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS || errno == EINTR else { throw SocketFailure(code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Throws why the connection failed; call it once the socket is writable.
    func finishConnecting() throws(SocketFailure) {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if result != 0 || code != 0 { throw SocketFailure(code: result == 0 ? code : errno) }
    }
}

/// A system call that failed, by errno.
struct SocketFailure: Error {
    let code: Int32

    var reason: String { String(cString: strerror(code)) }
}

/// Waits for several descriptors (poll(2)): there are few, and most of them are ready each time.
struct SocketWait {
    private(set) var entries: [pollfd] = []

    /// Adds a descriptor.
    mutating func add(_ descriptor: Int32, isWriting: Bool) {
        let events = isWriting ? POLLIN | POLLOUT : POLLIN
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Waits until one is ready, for at most this time.
    mutating func wait(_ time: Nanoseconds) {
        // Rounded up, so that no wait ends before its deadline.
        let milliseconds = Int32(clamping: (time + 999_999) / 1_000_000)
        SystemCall.retryingEINTR { poll(&entries, nfds_t(entries.count), milliseconds) }
    }

    /// Whether the one that was added in this place is ready, or has failed.
    func isReady(_ place: Int) -> Bool { entries[place].revents != 0 }
}
