import CLinux
import Glibc
import Synchronization

/// A socket that accepts connections, without blocking.
///
/// Each loop has its own for a TCP address (SO_REUSEPORT), and the kernel spreads connections over them.
final class ListeningSocket: Sendable {
    let descriptor: Descriptor
    /// The address with the port the system chose, if it was left to it.
    let address: SocketAddress
    /// How its connections begin.
    let opening: ConnectionOpening
    /// Whether another process goes on listening when this one ends.
    let isInherited: Bool
    private let isRefusing = Atomic(false)

    private init(
        _ descriptor: consuming Descriptor, address: SocketAddress, _ opening: ConnectionOpening,
        isInherited: Bool = false
    ) {
        self.descriptor = descriptor
        self.address = address
        self.opening = opening
        self.isInherited = isInherited
    }

    /// The inherited socket that is bound to an address, which is closed with its owner here and nowhere else; or one
    /// of its own.
    static func first(
        on address: SocketAddress, among inherited: [InheritedSocket], _ opening: ConnectionOpening,
        _ settings: ServerSettings
    ) throws(SystemError) -> ListeningSocket {
        guard let socket = inherited.first(where: { $0.address == address }) else {
            return try open(address, opening, sharing: settings.sharesPorts, unixMode: settings.unixSocketMode)
        }
        let descriptor = Descriptor(takingOwnershipOf: socket.number)
        try KernelQueue.bound(descriptor, of: address)
        return ListeningSocket(descriptor, address: address, opening, isInherited: true)
    }

    /// Whether all loops watch this one socket: the kernel does not spread a unix socket's connections, and an
    /// inherited one has no siblings.
    var isShared: Bool { isInherited || address.family == AF_UNIX }

    /// Opens a socket of its own on an address; with `sharing`, one more beside those that share the address already.
    ///
    /// The first one claims the address alone, so that a second daemon fails with "address in use", and only then lets
    /// its siblings in; where processes share it, so does the first one.
    static func open(
        _ address: SocketAddress, _ opening: ConnectionOpening = .plain, sharing: Bool = false, unixMode: UInt32? = nil
    ) throws(SystemError) -> ListeningSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = try claim(address) { socket(address.family, kind, 0) }
        let descriptor = Descriptor(takingOwnershipOf: number)
        if case .unix(let path) = address {
            UnixSocketFile.removeStale(path)
        } else {
            try descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
            if sharing { try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, 1) }
            // Accepted sockets inherit it: one system call fewer for each.
            try descriptor.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        }
        try KernelQueue.bound(descriptor, of: address)
        if case .ipv6 = address { try descriptor.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        try claim(address) { bind(number, address, unixMode: unixMode) }
        if address.family != AF_UNIX, !sharing { try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, 1) }
        try claim(address) { listen(number, 4096) }
        let bound = try SocketAddress.bound(to: number)
        return ListeningSocket(descriptor, address: bound, opening)
    }

    /// The file of a unix socket gets all permissions that the process's umask leaves it: the sandbox refuses chmod(2).
    private static func bind(_ number: Int32, _ address: SocketAddress, unixMode: UInt32?) -> Int32 {
        guard address.family == AF_UNIX, let unixMode else {
            return address.withSockaddr { Glibc.bind(number, $0, $1) }
        }
        let previous = umask(~unixMode & 0o777)
        defer { umask(previous) }
        return address.withSockaddr { Glibc.bind(number, $0, $1) }
    }

    /// A call without which the address cannot be listened on.
    @discardableResult
    private static func claim(_ address: SocketAddress, _ call: () -> Int32) throws(SystemError) -> Int32 {
        do { return try System.must("listen on \(address)", call) } catch {
            throw SystemError(operation: error.operation, code: error.code, family: address.family)
        }
    }

    /// The next connection; nil if none waits.
    func accept() throws(SystemError) -> (number: Int32, peer: IPAddress?)? {
        var storage = sockaddr_storage()
        while true {
            do throws(SystemError) {
                let number = try System.call("accept") { clinux_accept(descriptor.number, &storage) }
                if let number { prepare(number) }
                return number.map { ($0, IPAddress(storage)) }
            } catch {
                // The peer has gone again; others may be waiting.
                guard error.code == ECONNABORTED else { throw error }
            }
        }
    }

    /// Sets what an accepted connection does not inherit, and resets what it should not keep.
    private func prepare(_ number: Int32) {
        if case .unix = address { KernelQueue.boundAccepted(number) }
        if isRefusing.load(ordering: .relaxed) { limitDistance(of: number, 0) }
    }

    /// Takes no further connection, but still accepts those whose handshake has begun: a closed listener would reset
    /// them, and a peer that sees itself connected would lose its request. Only the first call does anything: by the
    /// time another loop asks, a unix socket's path may be a successor's.
    func refuseNewConnections(by ways: [SYNDrop] = [.filter, .distance]) {
        guard !isRefusing.exchange(true, ordering: .relaxed) else { return }
        switch address {
        case .unix(let path): unlink(path)
        case .ipv4, .ipv6: _ = ways.first { dropsSYNs(by: $0) }
        }
    }

    /// How a listener drops the first segment of a handshake.
    enum SYNDrop {
        /// By a socket filter, which some kernels allow only to CAP_NET_ADMIN.
        case filter
        /// By the distance that segments have come.
        case distance
    }

    private func dropsSYNs(by way: SYNDrop) -> Bool {
        switch way {
        case .filter: clinux_refuse_new_connections(descriptor.number) == 0
        case .distance: limitDistance(of: descriptor.number, 255)
        }
    }

    /// Drops packets with a smaller time to live (ip(7): IP_MINTTL); 0 drops none. It takes no privilege.
    ///
    /// Hosts rarely send with 255, so hardly a SYN reaches the listener. The kernel does not compare the last segment of
    /// a handshake that has begun, unless it answers with SYN cookies. It drops a request that follows before the
    /// connection is accepted; the client's system sends that again.
    @discardableResult
    private func limitDistance(of number: Int32, _ least: Int32) -> Bool {
        var least = least
        let size = socklen_t(MemoryLayout<Int32>.size)
        switch address {
        case .ipv4: return setsockopt(number, Int32(IPPROTO_IP), IP_MINTTL, &least, size) == 0
        case .ipv6: return setsockopt(number, Int32(IPPROTO_IPV6), IPV6_MINHOPCOUNT, &least, size) == 0
        case .unix: return true
        }
    }
}

/// The file that a unix socket leaves in the file system.
enum UnixSocketFile {
    /// Removes a socket on which no process listens any more, such as a killed one leaves; anything else stays, and
    /// bind fails.
    static func removeStale(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        // Without blocking: a live server whose queue is full answers EAGAIN.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let probe = Descriptor(takingOwnershipOf: socket(AF_UNIX, kind, 0))
        let connected = SocketAddress.unix(path).withSockaddr { connect(probe.number, $0, $1) }
        if connected != 0, errno == ECONNREFUSED { unlink(path) }
    }
}
