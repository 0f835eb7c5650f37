import Glibc
import SystemFiles

/// Datagrams to a local socket, whose path is looked up each time so that the log daemon may restart.
final class AuditDatagrams: Sendable {
    private static let patience = timeval(tv_sec: 0, tv_usec: 500_000)

    private let descriptor: Int32
    private let address: sockaddr_un

    /// Throws for a path that is too long for an address (unix(7)).
    init(path: String) throws(AuditError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let size = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.utf8.count < size, !path.utf8.contains(0) else {
            throw AuditError(place: path, problem: "is not a socket path; expected 1 to \(size - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw AuditError(place: path, problem: AuditFailure("cannot be sent to").reason)
        }
        // A log daemon that does not read must not block the audit log forever.
        var patience = Self.patience
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns once the log daemon's queue has it; throws if that is full for half a second, or no daemon listens.
    func send(_ datagram: [UInt8]) throws(AuditFailure) {
        var address = address
        let count = withUnsafeBytes(of: &address) { raw in
            let pointer = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return SystemCall.sendTo(pointer, socklen_t(raw.count), datagram, by: descriptor)
        }
        guard count == datagram.count else { throw AuditFailure("cannot be sent to") }
    }

    /// This process, as syslog names it.
    static var processID: Int32 { getpid() }

    deinit {
        close(descriptor)
    }
}
