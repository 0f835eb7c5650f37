import AuditLog
import CallerAccess
import FleetEngineToken
import GoogleCredentials
import HTTPServer
import Logging
import OpenSSLCrypto
import ServiceConfiguration

/// The state that survives a reload: cached tokens, the counts of limits, the names of ids in the log. A reload makes the
/// next state from this one; each part continues if the settings that it depends on are unchanged. The keys of issuers
/// survive too, in `IssuerSetup`.
package struct RetainedState: Sendable {
    package let cache: TokenCache
    package let limits: RequestLimits
    package let refusals: RefusalRecords
    package let signatures: SignatureMeter
    /// Nil without an audit log.
    package let audit: AuditRecorder?
    /// Signatures that Google makes for tokens of `cache`.
    package let remoteMint: RemoteMint
    /// The quota of the last remote signing; nil before the first.
    package let governor: SigningGovernor?
    let label: IDLabel
    /// Nil if no limit counts addresses.
    let uncountedPeers: OneTimeWarning?
    let unreadableAddresses: OneTimeWarning
    fileprivate let loaded: LoadedConfiguration
    /// The public halves of the keys whose tokens may be in `cache`, by account and id.
    fileprivate let keys: [[String]: Set<String>]

    /// The state for a loaded configuration; `previous` is nil at the start.
    package init(
        _ loaded: LoadedConfiguration, after previous: RetainedState?, _ remote: RemoteSigning? = nil,
        _ audit: AuditRecorder?, logger: Logger
    ) throws {
        let configuration = loaded.configuration
        (self.loaded, self.audit) = (loaded, audit)
        if let fault = loaded.signers.batches.fault {
            logger.error("tokens are not signed in batches", metadata: ["reason": "\(fault)"])
        }
        let (cache, keys) = TokenCache.retained(loaded, after: previous)
        (self.cache, self.keys) = (cache, keys)
        remoteMint =
            if let previous, previous.cache === cache {
                previous.remoteMint
            } else {
                RemoteMint(cache: cache, clock: { ServerTime.now().epochSeconds }, logger: logger)
            }
        governor = remote?.governor ?? previous?.governor
        limits = RequestLimits.retained(configuration.limits, after: previous)
        refusals =
            previous?.refusals
            ?? RefusalRecords(audit, logger: logger, showingLatest: configuration.servesConsole)
        signatures = previous?.signatures ?? SignatureMeter()
        label = try IDLabel(configuration.log, after: previous)
        let warnsAboutPeers = configuration.authenticates && configuration.limits.countAddresses
        // Both are about the proxies.
        let sameProxies = configuration.proxies == previous?.loaded.configuration.proxies ? previous : nil
        unreadableAddresses = sameProxies?.unreadableAddresses ?? OneTimeWarning(logger: logger)
        uncountedPeers = warnsAboutPeers ? sameProxies?.uncountedPeers ?? OneTimeWarning(logger: logger) : nil
    }
}

extension TokenCache {
    /// The previous cache, if the same tokens would be made now. A token is found by its key's id, so tokens of a removed key
    /// are not found again. If a key has changed under its id, the cache is dropped.
    fileprivate static func retained(
        _ new: LoadedConfiguration, after previous: RetainedState?
    ) -> (TokenCache, keys: [[String]: Set<String>]) {
        let keys = new.signers.publicHalves
        if let previous, let keys, new.configuration.makesAnswers(as: previous.loaded.configuration),
            keys.allSatisfy({ previous.keys[$0.key, default: $0.value] == $0.value })
        {
            return (previous.cache, previous.keys.merging(keys) { $1 })
        }
        let settings = new.configuration.cache
        let cache = TokenCache(
            maxBytes: settings.maxBytes, reuseFraction: settings.reuseFraction, after: previous?.cache.statistics)
        return (cache, keys ?? [:])
    }
}

extension Configuration {
    /// Whether the cached parts of a token, its rendered answer and its name in the log, would be the same.
    fileprivate func makesAnswers(as other: Configuration) -> Bool {
        answer == other.answer && cache == other.cache && log.namesIDs(as: other.log)
            && TokenKind.allCases.allSatisfy { tokenSettings(of: $0) == other.tokenSettings(of: $0) }
    }
}

extension Configuration.Log {
    /// Whether ids have the same names in the log.
    fileprivate func namesIDs(as other: Configuration.Log) -> Bool {
        logsRequests == other.logsRequests && ids == other.ids
    }
}

extension IDLabel {
    /// The key of the digests stays, so that lines before and after a reload can be matched.
    fileprivate init(_ log: Configuration.Log, after previous: RetainedState?) throws {
        if let previous, log.namesIDs(as: previous.loaded.configuration.log) {
            self = previous.label
        } else if !log.logsRequests {
            self = .none
        } else {
            self = log.ids == .digest ? .digest(try KeyedDigest.random()) : .plain
        }
    }
}

extension RequestLimits {
    /// The previous counts if the limits are the same.
    fileprivate static func retained(
        _ limits: Configuration.Limits, after previous: RetainedState?
    ) -> RequestLimits {
        if let previous, previous.loaded.configuration.limits == limits { return previous.limits }
        func limiter(_ rate: Double, _ burst: Int) -> RateLimiter? {
            guard rate > 0 else { return nil }
            return RateLimiter(RateLimit(requestsPerSecond: rate, burst: burst), maxBuckets: limits.maxEntries)
        }
        return RequestLimits(
            addresses: limiter(limits.addressRate, limits.addressBurst),
            principals: limiter(limits.principalRate, limits.principalBurst),
            failures: limiter(limits.failureRate, limits.failureBurst))
    }
}
