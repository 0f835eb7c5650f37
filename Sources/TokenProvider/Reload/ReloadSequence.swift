import AuditLog
import Dispatch
import Logging
import TokenService

/// A reload from beginning to end, as SIGHUP and the admin listener request it. The file watch only runs the reloader.
struct ReloadSequence: Sendable {
    let reloader: Reloader
    /// Nil without a service manager.
    let service: ServiceState?
    let logger: Logger

    /// Tells the service manager, writes the pending sums of refusals, opens the audit log's file again, reloads, then tells
    /// the caller and the service manager. A failure to open the file is reported but does not prevent the reload: it must
    /// not keep a revoked permission alive.
    func run(then completion: @escaping Reloader.Completion = { _ in }) {
        let reload = DispatchGroup()
        reload.enter()
        service?.reload(until: reload)
        reloader.writeRefusalSums()
        let reopened = { @Sendable (problem: String?) in
            reloader.reload(reporting: problem) { outcome in
                completion(outcome)
                reload.leave()
            }
        }
        if let audit = reloader.current.now.retained.audit {
            audit.reopen(logger, reopened)
        } else {
            reopened(nil)
        }
    }
}
