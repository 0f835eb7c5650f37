import Glibc
import SystemFiles

/// An audit log to a local log daemon, one datagram for each line. A sent line counts as durable; the log daemon is
/// responsible for storing it. The socket's path is looked up each time so that the log daemon may restart.
package final class AuditSocket: AuditSink {
    /// Which log daemon listens; it determines what a line is wrapped in.
    package enum Daemon: Sendable {
        /// RFC 3164 as syslog(3) writes it to /dev/log, but without a time, which the line itself has. Each daemon that
        /// listens there accepts that, and not all accept RFC 5424. Facility authpriv, severity info.
        case syslog
        /// The journal's native protocol: a field a line.
        case journald

        /// Where the daemon listens unless told otherwise.
        fileprivate var path: String {
            switch self {
            case .syslog: "/dev/log"
            case .journald: "/run/systemd/journal/socket"
            }
        }

        /// What comes before a line and after it.
        fileprivate var frame: (before: String, after: String) {
            switch self {
            case .syslog: ("<86>token-provider[\(getpid())]: ", "")
            case .journald: ("PRIORITY=6\nSYSLOG_IDENTIFIER=token-provider\nMESSAGE=", "\n")
            }
        }
    }

    private static let patience = timeval(tv_sec: 0, tv_usec: 500_000)

    package let place: String
    private let descriptor: Int32
    private let address: sockaddr_un
    private let before: [UInt8]
    private let after: [UInt8]

    /// Sends to the log daemon, at this socket if one is given; it need not listen yet. Throws for a path that is too long for
    /// an address (unix(7)).
    package init(_ daemon: Daemon, path: String? = nil) throws(AuditError) {
        let path = path ?? daemon.path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let size = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.utf8.count < size, !path.utf8.contains(0) else {
            throw AuditError(place: path, problem: "is not a socket path; expected 1 to \(size - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        (place, self.address) = (path, address)
        (before, after) = (Array(daemon.frame.before.utf8), Array(daemon.frame.after.utf8))
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw AuditError(place: path, problem: AuditFailure("cannot be sent to").reason)
        }
        // A log daemon that does not read must not block the audit log forever.
        var patience = Self.patience
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns once the log daemon's queue has each line; throws if that is full for half a second, or no daemon listens.
    package func put(_ batch: AuditBatch) throws(AuditFailure) {
        var written = 0
        for line in batch.lines {
            guard send(before + batch.bytes[line] + after) else {
                throw AuditFailure(reason: AuditFailure("cannot be sent to").reason, written: written)
            }
            written = line.upperBound + 1
        }
    }

    private func send(_ datagram: [UInt8]) -> Bool {
        var address = address
        let count = withUnsafeBytes(of: &address) { raw in
            let pointer = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return SystemCall.sendTo(pointer, socklen_t(raw.count), datagram, by: descriptor)
        }
        return count == datagram.count
    }

    deinit {
        close(descriptor)
    }
}
