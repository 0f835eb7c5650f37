import Glibc

/// Datagrams to a local socket that is found anew by its path each time, so that its daemon may be started again.
final class AuditDatagrams: Sendable {
    private static let patience = timeval(tv_sec: 0, tv_usec: 500_000)

    private let descriptor: Int32
    private let address: sockaddr_un

    /// Throws for a path that is too long for an address (unix(7)).
    init(path: String) throws(AuditError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.utf8.count < room, !path.utf8.contains(0) else {
            throw AuditError(place: path, problem: "is no path of a socket; expected 1 to \(room - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw AuditError(place: path, problem: AuditDescriptor.failure("cannot be sent to").reason)
        }
        // A daemon that does not read must not hold the trail up without end.
        var patience = Self.patience
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns once the daemon's queue has it; throws if it is full for half a second, or nobody is there.
    func send(_ datagram: [UInt8]) throws(AuditFailure) {
        var address = address
        var count: Int
        repeat {
            count = withUnsafeBytes(of: &address) { raw in
                let length = socklen_t(raw.count)
                let pointer = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                return sendto(descriptor, datagram, datagram.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        } while count < 0 && errno == EINTR
        guard count == datagram.count else { throw AuditDescriptor.failure("cannot be sent to") }
    }

    /// This process, as syslog names it.
    static var processID: Int32 { getpid() }

    deinit {
        close(descriptor)
    }
}
