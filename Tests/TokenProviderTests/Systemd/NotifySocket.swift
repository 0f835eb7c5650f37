import Glibc
import HTTPServer
import TestSupport
import Testing

/// The socket on which a service manager receives notifications.
final class NotifySocket {
    let name: String
    private let descriptor: Int32

    /// Bound to a unique name outside the file system.
    init() throws {
        name = "@token-provider-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let address = SocketAddress.unix(name)
        try #require(address.withSockaddr { bind(descriptor, $0, $1) } == 0)
    }

    deinit { close(descriptor) }

    /// The lines of the next datagram; none after 20 s.
    func next() -> [String] {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Patience.milliseconds) > 0 else { return [] }
        return received()
    }

    /// Whether all notifications have been received.
    var isEmpty: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    private func received() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
