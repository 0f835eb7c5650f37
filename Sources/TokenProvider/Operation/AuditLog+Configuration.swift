import AuditLog
import Dispatch
import Locking
import Logging
import ServiceConfiguration

extension AuditRecorder {
    /// The trail that a configuration wants; nil if it wants none.
    convenience init?(_ audit: Configuration.Audit, logger: Logger) throws(AuditError) {
        guard let destination = AuditDestination(audit) else { return nil }
        let writer: AuditWriter
        do {
            writer = try destination.writer()
        } catch {
            throw error.of(audit)
        }
        self.init(writer) { state in
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

extension AuditError {
    /// The same with the key that names the place.
    func of(_ audit: Configuration.Audit) -> AuditError {
        AuditError(place: "\(audit.output == .file ? "audit.file" : "audit.output"): \(place)", problem: problem)
    }
}

extension AuditChain {
    /// What finds that lines are missing at the end, once it is noted where whoever can change the trail cannot.
    var metadata: Logger.Metadata { ["seq": "\(sequence)", "last_hash": "\(hashText)"] }
}

extension AuditRecorder {
    /// Opens the trail's file anew, and calls back once: when that is done, or after two seconds of a trail that is stuck,
    /// with why it could not be.
    func reopen(_ logger: Logger, _ done: @escaping @Sendable (String?) -> Void) {
        let isTold = Guarded(false)
        let tell = { @Sendable (problem: String?) in
            let isFirst = isTold.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            if isFirst { done(problem) }
        }
        reopen { result in
            switch result {
            case .success(nil): tell(nil)
            case .success(let end?):
                logger.info("the audit trail goes on in a new file", metadata: end.metadata)
                tell(nil)
            case .failure(let error): tell("audit.file: \(error); the audit trail goes on in the former file")
            }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) {
            tell("audit.file: the trail is stuck; its file is opened anew once it is not")
        }
    }

    /// Writes what waits, and says where the trail ends then.
    func end(_ logger: Logger) {
        let end = flush()
        switch state {
        case .writable where end != nil: logger.info("the audit trail ends", metadata: end?.metadata ?? [:])
        case .writable: logger.error("the audit trail lacks its last records, which took too long to write")
        case .failing(let reason):
            logger.error(
                "the audit trail may lack its last records",
                metadata: ["reason": "\(reason)"].merging(end?.metadata ?? [:]) { $1 })
        }
    }
}
