/// An audit log to a local log daemon, one datagram for each line. A sent line counts as durable; the log daemon is
/// responsible for storing it.
struct AuditSocket: AuditSink {
    /// Which log daemon listens; it determines what a line is wrapped in.
    package enum Daemon: Sendable {
        /// RFC 3164 as syslog(3) writes it to /dev/log, but without a time, which the line itself has. Each daemon that
        /// listens there accepts that, and not all accept RFC 5424. Facility authpriv, severity info.
        case syslog
        /// The journal's native protocol: a field a line.
        case journald

        /// Where the daemon listens unless told otherwise.
        package var path: String {
            switch self {
            case .syslog: "/dev/log"
            case .journald: "/run/systemd/journal/socket"
            }
        }

        /// What comes before a line and after it.
        fileprivate var frame: (before: String, after: String) {
            switch self {
            case .syslog: ("<86>token-provider[\(AuditDatagrams.processID)]: ", "")
            case .journald: ("PRIORITY=6\nSYSLOG_IDENTIFIER=token-provider\nMESSAGE=", "\n")
            }
        }
    }

    let place: String
    private let datagrams: AuditDatagrams
    private let before: [UInt8]
    private let after: [UInt8]

    /// Sends to the log daemon at this socket, which need not listen yet.
    init(_ daemon: Daemon, path: String) throws(AuditError) {
        place = path
        datagrams = try AuditDatagrams(path: path)
        (before, after) = (Array(daemon.frame.before.utf8), Array(daemon.frame.after.utf8))
    }

    func put(_ batch: AuditBatch) throws(AuditFailure) {
        var written = 0
        for line in batch.lines {
            do {
                try datagrams.send(before + batch.bytes[line] + after)
            } catch {
                throw AuditFailure(reason: error.reason, written: written)
            }
            written = line.upperBound + 1
        }
    }
}
