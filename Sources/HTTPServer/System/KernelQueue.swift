import Glibc

/// What the kernel holds for one connection: bytes that we have sent and its peer has not read, and bytes that it has
/// sent and we have not read.
///
/// Left to itself the kernel lets both grow with the traffic, to 4 MB and to 32 MB (tcp(7): tcp_wmem, tcp_rmem). The
/// options below double the values they are given (socket(7)), and count what the kernel needs besides the bytes. So
/// both queues together hold 64 kB at most; measured with a peer that pipelines and never reads: 33 kB and 28 kB.
///
/// The first flight of a client, ten segments (RFC 6928), fits the receive queue.
enum KernelQueue {
    /// What a peer that does not read can make the kernel hold.
    static let sendBytes = 32_768
    /// What a peer can make it hold while nothing is received from it.
    static let receiveBytes = 32_768
    /// With more bytes that the peer has no space for yet, the socket is not writable
    /// (tcp(7): TCP_NOTSENT_LOWAT), so that no further request of that peer is answered.
    private static let unsentBytes: Int32 = 16_384

    /// Bytes of the kernel's memory that both queues of a connection take now (socket(7): SO_MEMINFO); 0 if the system
    /// does not say.
    static func bytes(of descriptor: borrowing Descriptor) -> Int {
        var values = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt32(0))
        var size = socklen_t(MemoryLayout.size(ofValue: values))
        guard getsockopt(descriptor.number, SOL_SOCKET, SO_MEMINFO, &values, &size) == 0 else { return 0 }
        return withUnsafeBytes(of: &values) { values in
            func value(_ index: Int) -> Int { Int(values.load(fromByteOffset: 4 * index, as: UInt32.self)) }
            // Received and not read; sent and not taken, which is the one on a unix socket and the other on one of TCP.
            return value(0) + max(value(2), value(5))
        }
    }

    /// Bounds the queues of all connections that a listening socket will accept.
    static func bound(_ listener: borrowing Descriptor, of address: SocketAddress) throws(SystemError) {
        // A unix socket's connections do not inherit them.
        if case .unix = address { return }
        try listener.setOption(SOL_SOCKET, SO_SNDBUF, Int32(sendBytes / 2))
        try listener.setOption(SOL_SOCKET, SO_RCVBUF, Int32(receiveBytes / 2))
        try listener.setOption(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytes)
    }

    /// Bounds the queue of a unix socket's connection, where the bytes count for who sent them: the peer's own are
    /// bounded by the system.
    static func boundAccepted(_ number: Int32) {
        var bytes = Int32(sendBytes / 2)
        // One that cannot be bounded has the system's bound.
        setsockopt(number, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
}
