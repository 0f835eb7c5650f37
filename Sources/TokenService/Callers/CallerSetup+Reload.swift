import Logging
import ServiceConfiguration

/// How what decides about callers takes the place of a former setup, once it was made beside it.
extension CallerSetup {
    /// What a configuration makes of it, with the keys of each issuer that is new; throws all that is wrong. Blocks until
    /// they are fetched. Whoever gets it lets it take the former's place, or discards it.
    package static func prepared(
        _ values: ConfigurationValues, after former: CallerSetup, logger: Logger
    ) throws(ConfigurationErrors) -> CallerSetup {
        let new = try CallerSetup(values, after: former, logger: logger)
        guard former.tables.isOpen || !new.tables.isOpen else {
            throw ConfigurationErrors(sentences: ["callers: none lets everyone in, which is only taken at the start"])
        }
        new.issuers?.startFeeds()
        do throws(ConfigurationErrors) {
            try new.issuers?.waitForKeys(besides: former.issuers)
        } catch {
            new.stopFeeds(besides: former)
            throw error
        }
        return new
    }

    /// Ends all fetching that another setup does not go on with.
    package func stopFeeds(besides other: CallerSetup?) { issuers?.stopFeeds(besides: other?.issuers) }
}

extension IssuerSetup {
    /// Waits until each issuer has keys, or has been asked for them in vain; those of feeds that another setup goes on
    /// with are as they were, and keep nobody from a change of rules.
    fileprivate func waitForKeys(besides kept: IssuerSetup?) throws(ConfigurationErrors) {
        for (issuer, feed) in feeds where kept?.feeds[issuer] !== feed {
            feed.waitForKeys()
            if let outage = feed.outage { throw ConfigurationErrors(sentences: [outage]) }
        }
    }
}
