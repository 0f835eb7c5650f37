import Dispatch
import Logging

/// What SIGHUP replaces, all of it or nothing: what decides about callers, and certificates. The configuration is read once
/// for both, so that they never are of two versions of it.
final class Reloader: Sendable {
    private let callers: CallerReloader
    /// Nil where https is not served.
    private let certificates: CertificateReloader?
    private let read: @Sendable () throws(CallerErrors) -> ConfigurationValues
    private let logger: Logger
    /// What came of reloads.
    let outcomes = ReloadOutcomes()
    private let queue = DispatchQueue(label: "reload")
    /// What is replaced, for the log.
    private var parts: String { certificates == nil ? "callers and rules" : "callers, rules and certificates" }

    /// `read` reads the configuration as it is now.
    init(
        _ callers: CallerReloader, _ certificates: CertificateReloader?, logger: Logger,
        reading read: @escaping @Sendable () throws(CallerErrors) -> ConfigurationValues
    ) {
        (self.callers, self.certificates, self.logger, self.read) = (callers, certificates, logger, read)
    }

    /// Reloads in the background, as a member of the group if there is one; one reload after the other.
    func reload(in group: DispatchGroup? = nil) {
        queue.async(group: group) { self.tryReload() }
    }

    /// Ends all fetching.
    func stop() { callers.stop() }

    private func tryReload() {
        do throws(CallerErrors) {
            try replaceAll(by: try read())
            outcomes.note(succeeded: true)
            logger.notice("\(parts) were reloaded; other settings are read at the start alone")
        } catch {
            outcomes.note(succeeded: false)
            for sentence in error.sentences {
                logger.error("not reloaded, the former \(parts) stay", metadata: ["reason": "\(sentence)"])
            }
        }
    }

    private func replaceAll(by values: ConfigurationValues) throws(CallerErrors) {
        var errors = CallerErrors(sentences: [])
        let files = errors.noting { () throws(CallerErrors) in try certificates?.read(values) } ?? nil
        guard let new = errors.noting({ () throws(CallerErrors) in try callers.prepare(values) }) else { throw errors }
        do throws(CallerErrors) {
            guard errors.sentences.isEmpty else { throw errors }
            if let files { try certificates?.replace(by: files) }
        } catch {
            callers.discard(new)
            throw error
        }
        callers.replace(by: new)
    }
}
