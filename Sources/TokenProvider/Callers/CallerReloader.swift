import Dispatch
import Locking
import Logging

/// Reads the configuration anew and swaps what decides about callers whole, or keeps the former and says why.
final class CallerReloader: Sendable {
    private let gate: CallerGate
    private let current: Guarded<CallerSetup>
    private let read: @Sendable () throws(CallerErrors) -> ConfigurationValues
    private let logger: Logger
    private let queue = DispatchQueue(label: "reload")

    /// Begins with a setup that is active; `read` reads the configuration as it is now.
    init(
        _ gate: CallerGate, _ current: CallerSetup, logger: Logger,
        reading read: @escaping @Sendable () throws(CallerErrors) -> ConfigurationValues
    ) {
        (self.gate, self.logger, self.read) = (gate, logger, read)
        self.current = Guarded(current)
    }

    /// Reloads in the background, as a member of the group if there is one; one reload after the other.
    func reload(in group: DispatchGroup? = nil) {
        queue.async(group: group) { self.tryReload() }
    }

    /// Ends all fetching.
    func stop() {
        current.withLock { $0.issuers?.stopFeeds(besides: nil) }
    }

    private func tryReload() {
        let former = current.withLock { $0 }
        do throws(CallerErrors) {
            let new = try CallerSetup(try read(), after: former, logger: logger)
            guard former.tables.isOpen || !new.tables.isOpen else {
                throw CallerErrors(sentences: ["callers: none lets everyone in, which is only taken at the start"])
            }
            new.activate()
            do throws(CallerErrors) {
                try new.issuers?.waitForKeys(besides: former.issuers)
            } catch {
                new.issuers?.stopFeeds(besides: former.issuers)
                throw error
            }
            gate.replaceTables(by: new.tables)
            current.withLock { $0 = new }
            former.issuers?.stopFeeds(besides: new.issuers)
            logger.notice("callers and rules were reloaded; other settings are read at the start alone")
        } catch {
            for sentence in error.sentences {
                logger.error("not reloaded, the former callers and rules stay", metadata: ["reason": "\(sentence)"])
            }
        }
    }
}

extension IssuerSetup {
    /// Waits until each issuer has keys, or has been asked for them in vain; those of feeds that another setup goes on
    /// with are as they were, and keep nobody from a change of rules.
    fileprivate func waitForKeys(besides kept: IssuerSetup?) throws(CallerErrors) {
        for (issuer, feed) in feeds where kept?.feeds[issuer] !== feed {
            feed.waitForKeys()
            guard feed.hasKeys else {
                throw CallerErrors(sentences: ["issuers: the keys of \(issuer) could not be fetched"])
            }
        }
    }
}
