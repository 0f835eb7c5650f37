import Locking
import Logging

/// Makes what decides about callers anew beside the former, and swaps it whole.
final class CallerReloader: Sendable {
    private let gate: CallerGate
    private let current: Guarded<CallerSetup>
    private let logger: Logger

    /// Begins with a setup that is active.
    init(_ gate: CallerGate, _ current: CallerSetup, logger: Logger) {
        (self.gate, self.logger) = (gate, logger)
        self.current = Guarded(current)
    }

    /// What decides now.
    var setup: CallerSetup { current.withLock { $0 } }

    /// What a configuration makes of it, with the keys of each issuer that is new; throws all that is wrong. Blocks until
    /// they are fetched. Whoever gets it replaces the former by it, or discards it.
    func prepare(_ values: ConfigurationValues) throws(CallerErrors) -> CallerSetup {
        let former = setup
        let new = try CallerSetup(values, after: former, logger: logger)
        guard former.tables.isOpen || !new.tables.isOpen else {
            throw CallerErrors(sentences: ["callers: none lets everyone in, which is only taken at the start"])
        }
        new.issuers?.startFeeds()
        do throws(CallerErrors) {
            try new.issuers?.waitForKeys(besides: former.issuers)
        } catch {
            discard(new)
            throw error
        }
        return new
    }

    /// Lets go of what was prepared.
    func discard(_ new: CallerSetup) {
        new.issuers?.stopFeeds(besides: current.withLock { $0 }.issuers)
    }

    /// Decides by what was prepared from now on.
    func replace(by new: CallerSetup) {
        new.issuers?.takeFileKeys()
        gate.replaceTables(by: new.tables)
        let former = current.withLock { current in
            defer { current = new }
            return current
        }
        former.issuers?.stopFeeds(besides: new.issuers)
    }

    /// Ends all fetching.
    func stop() {
        current.withLock { $0.issuers?.stopFeeds(besides: nil) }
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
