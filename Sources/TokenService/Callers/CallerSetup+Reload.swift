import Logging
import ServiceConfiguration

/// Replacing a setup by that of a new configuration.
extension CallerSetup {
    /// The setup of a configuration, with the keys of each new issuer; throws all errors. Blocks until the keys are fetched.
    /// The caller activates it or discards it.
    package static func prepared(
        _ values: ConfigurationValues, after previous: CallerSetup, logger: Logger
    ) throws(ConfigurationErrors) -> CallerSetup {
        let new = try CallerSetup(values, after: previous, logger: logger)
        guard previous.gate.isOpen || !new.gate.isOpen else {
            throw ConfigurationErrors(sentences: ["callers: none disables authentication, which only a restart can do"])
        }
        new.issuers?.startFeeds()
        do throws(ConfigurationErrors) {
            try new.issuers?.waitForKeys(besides: previous.issuers)
        } catch {
            new.stopFeeds(besides: previous)
            throw error
        }
        return new
    }

    /// Fetches the keys again of the issuers that the previous setup had too. Nothing waits for that: an unreachable provider
    /// must not delay a change of rules.
    package func fetchKeysAgain(of previous: CallerSetup) {
        for (issuer, feed) in issuers?.feeds ?? [:] where previous.issuers?.feeds[issuer] === feed { feed.fetchAgain() }
    }

    /// Stops all fetching that the other setup does not continue.
    package func stopFeeds(besides other: CallerSetup?) { issuers?.stopFeeds(besides: other?.issuers) }
}

extension IssuerSetup {
    /// Waits until each issuer has keys or its fetch has failed. Feeds that continue are not awaited, so that an unreachable
    /// provider does not block a change of rules.
    fileprivate func waitForKeys(besides previous: IssuerSetup?) throws(ConfigurationErrors) {
        for (issuer, feed) in feeds where previous?.feeds[issuer] !== feed {
            feed.waitForKeys()
            if let outage = feed.outage { throw ConfigurationErrors(sentences: [outage]) }
        }
    }
}
