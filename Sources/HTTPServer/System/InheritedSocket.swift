import CLinux
import Glibc

/// A listening socket that another process has bound and handed to this one: it outlives this process, and clients
/// that connect meanwhile wait for the next one.
package struct InheritedSocket: Sendable {
    /// What it is bound to.
    package let address: SocketAddress
    let number: Int32

    /// Takes the descriptor over, so that it neither blocks nor reaches a program that is run; refuses one that is not
    /// a listening stream socket.
    package init(descriptor number: Int32) throws(InheritedSocketError) {
        do throws(SystemError) {
            try System.must("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
            guard try InheritedSocket.option(number, SO_TYPE) == Int32(SOCK_STREAM.rawValue),
                try InheritedSocket.option(number, SO_ACCEPTCONN) == 1
            else { throw SystemError(operation: "getsockopt", code: EINVAL) }
            let flags = try System.must("fcntl") { fcntl(number, F_GETFL) }
            try System.must("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
            address = try SocketAddress.bound(to: number)
        } catch {
            throw InheritedSocketError(descriptor: number, code: error.code)
        }
        self.number = number
        guard address.family != AF_UNIX else { return }
        // Accepted sockets inherit it: one system call fewer for each.
        var isOn: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func option(_ number: Int32, _ option: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        try System.must("getsockopt") { getsockopt(number, SOL_SOCKET, option, &value, &length) }
        return value
    }
}

/// Why an inherited descriptor cannot be listened on.
package struct InheritedSocketError: Error, Hashable, Sendable {
    /// The descriptor's number.
    package let descriptor: Int32
    /// errno (errno(3)).
    package let code: Int32

    /// What is wrong with the descriptor, to follow it in a sentence.
    package var problem: String {
        switch code {
        case EBADF: "is not open; expected a listening stream socket"
        case ENOTSOCK: "is not a socket; expected a listening stream socket"
        case EAFNOSUPPORT: "is a socket of another family; expected IPv4, IPv6 or unix"
        default: "is not a listening stream socket; expected one (ListenStream= of a socket unit, without Accept=yes)"
        }
    }
}
