import AuditLog
import Concurrency
import Dispatch
import Logging
import ServiceConfiguration
import TokenService

extension AuditRecorder {
    /// The configured audit log; nil if none is configured. Logs when it begins or ceases to be writable, and checkpoints
    /// that have no other place, or do not reach it.
    convenience init?(_ values: Configuration, _ logging: DaemonLogging) throws {
        let (audit, logger) = (values.audit, logging.logger)
        guard let writer = try AuditWriter(audit) else { return nil }
        let observe = { @Sendable (state: State) in
            switch state {
            case .writable: logger.notice("the audit log is writable again")
            case .failing(let reason):
                logger.error(
                    "the audit log cannot be written; every token request is refused", metadata: ["reason": "\(reason)"]
                )
            }
        }
        self.init(writer, observe: observe, checkpoint: try CheckpointPlace(values).checkpoint(logging))
    }
}

extension CheckpointPlace? {
    /// Notes checkpoints there; in the log without a place, or while the place cannot be reached.
    fileprivate func checkpoint(_ logging: DaemonLogging) -> AuditRecorder.Checkpoint {
        guard let place = self else {
            return { chain, done in
                logging.log(checkpoint: chain)
                done()
            }
        }
        let isOutOfReach = Guarded(false)
        return { chain, done in
            place.note(chain) { problem in
                let isNew = isOutOfReach.withLock { value in
                    defer { value = problem != nil }
                    return value != (problem != nil)
                }
                if isNew { logging.log(outOfReach: problem) }
                if problem != nil { logging.log(checkpoint: chain) }
                done()
            }
        }
    }
}

extension DaemonLogging {
    fileprivate func log(outOfReach problem: String?) {
        guard let problem else { return logger.notice("checkpoints of the audit log reach audit.checkpoints again") }
        logger.error(
            "checkpoints of the audit log do not reach audit.checkpoints and are logged here",
            metadata: ["reason": "\(problem)"])
    }

    /// Logs the end of a chain whatever the log's level: without it, lines removed from the end are not found.
    fileprivate func log(checkpoint chain: AuditChain) {
        var line = LogLine(sink.form, level: .notice, message: "audit checkpoint")
        line.add("hash", chain.hashText)
        line.add("seq", Int(chain.sequence))
        sink.append(line.bytes())
    }
}

extension AuditWriter {
    /// Opens what is configured; nil if no audit log is.
    fileprivate init?(_ audit: Configuration.Audit) throws(AuditError) {
        do throws(AuditError) {
            switch audit.output {
            case .none: return nil
            case .file: try self.init(path: audit.file ?? "")
            case .stdout: self.init(try AuditStream.standardOutput())
            case .syslog: self.init(try AuditSocket(.syslog))
            case .journald: self.init(try AuditSocket(.journald))
            }
        } catch {
            throw error.of(audit)
        }
    }
}

extension AuditError {
    /// The same error, with the setting that names the place.
    func of(_ audit: Configuration.Audit) -> AuditError {
        AuditError(place: "\(audit.output == .file ? "audit.file" : "audit.output"): \(place)", problem: problem)
    }
}

extension AuditChain {
    /// The end of the chain. It shows lines removed from the end, if it is kept where the audit log's writers have no access.
    var metadata: Logger.Metadata { ["seq": "\(sequence)", "last_hash": "\(hashText)"] }
}

extension AuditRecorder {
    /// Opens the file again, then calls back once, with the problem if there is one: after two seconds at the latest, because
    /// a write to a failing disk can block.
    func reopen(_ logger: Logger, _ done: @escaping @Sendable (String?) -> Void) {
        let isDone = Guarded(false)
        let finish = { @Sendable (problem: String?) in
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst { done(problem) }
        }
        reopen { result in
            switch result {
            case .success(nil): finish(nil)
            case .success(let end?):
                logger.info("the audit log continues in a new file", metadata: end.metadata)
                finish(nil)
            case .failure(let error): finish("audit.file: \(error); the audit log continues in the previous file")
            }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) {
            finish("audit.file: a write is blocked; the new file is opened once it ends")
        }
    }

    /// Writes pending records, then logs the end of the chain, also as a checkpoint if that may not have reached its place.
    func end(_ logging: DaemonLogging) {
        let (end, logger) = (flush(), logging.logger)
        if let end, !note(end: end) { logging.log(checkpoint: end) }
        switch state {
        case .writable where end != nil: logger.info("the audit log ends", metadata: end?.metadata ?? [:])
        case .writable: logger.error("the audit log lacks its last records: writing them took too long")
        case .failing(let reason):
            logger.error(
                "the audit log may lack its last records",
                metadata: ["reason": "\(reason)"].merging(end?.metadata ?? [:]) { $1 })
        }
    }
}
