/// Where the audit log goes, as it is configured.
package enum AuditDestination: Equatable, Sendable {
    /// A regular file; each record is on stable storage before its token is sent.
    case file(String)
    /// Standard output, for a collector.
    case standardOutput
    /// The syslog daemon of this machine, at this socket.
    case syslog(String = AuditSocket.Daemon.syslog.path)
    /// The journal of this machine, at this socket.
    case journald(String = AuditSocket.Daemon.journald.path)

    /// What writes there. A file is opened; a daemon need not listen yet.
    package func writer() throws(AuditError) -> AuditWriter {
        switch self {
        case .file(let path):
            let (file, tail) = try AuditFile.open(path)
            return AuditWriter(file, after: tail)
        case .standardOutput: return AuditWriter(try AuditStream.standardOutput())
        case .syslog(let path): return AuditWriter(try AuditSocket(.syslog, path: path))
        case .journald(let path): return AuditWriter(try AuditSocket(.journald, path: path))
        }
    }
}
