import Logging

extension AuditLog {
    /// The trail that a configuration wants; nil if it wants none.
    convenience init?(_ audit: Configuration.Audit, logger: Logger) throws(AuditError) {
        guard let destination = AuditDestination(audit) else { return nil }
        self.init(try destination.writer()) { state in
            switch state {
            case .writable: logger.notice("the audit trail can be written")
            case .failing(let reason):
                logger.error(
                    "the audit trail cannot be written, and no token is handed out", metadata: ["reason": "\(reason)"])
            }
        }
    }
}

extension AuditDestination {
    /// Nil where no trail is wanted.
    init?(_ audit: Configuration.Audit) {
        switch audit.output {
        case .none: return nil
        case .file: self = .file(audit.file ?? "")
        case .stdout: self = .standardOutput
        case .syslog: self = .syslog()
        case .journald: self = .journald()
        }
    }
}

extension AuditChain {
    /// What finds that lines are missing at the end, once it is noted where whoever can change the trail cannot.
    var metadata: Logger.Metadata { ["seq": "\(sequence)", "last_hash": "\(hashText)"] }
}

extension Logger {
    /// What became of an audit trail whose file was to be opened anew.
    func tell(_ reopening: Result<AuditChain?, AuditError>) {
        switch reopening {
        case .success(nil): return
        case .success(let end?): info("the audit trail goes on in a new file", metadata: end.metadata)
        case .failure(let error):
            self.error("the audit trail goes on in the former file", metadata: ["reason": "\(error)"])
        }
    }
}
