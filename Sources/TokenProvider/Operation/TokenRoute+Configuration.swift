import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging
import OpenSSLSigner

extension TokenRoute {
    /// The route as a reading of the files wants it. What a former one has learnt goes on where the settings that it
    /// depends on are the same.
    convenience init(
        _ reading: Reading, _ callers: CallerTables, after former: Edition?, _ audit: AuditLog?, logger: Logger
    ) throws {
        let (configuration, signers) = (reading.configuration, reading.signers)
        let label = try IDLabel(configuration.log, after: former)
        let kinds = try ServedKinds(absence: configuration.absence(of:)) { kind in
            try signers.minter(of: kind, configuration)
        }
        let reader = TokenRequestReader(
            kinds: kinds, ignoredParameters: Set(configuration.request.ignoredParameters.map { Array($0.utf8) }),
            expiration: configuration.answer.expiration)
        let handout = TokenHandout(
            cache: TokenCache.going(reading, after: former),
            answer: TokenAnswer(names: configuration.answer) {
                ClientMargin(configuration.tokenSettings(of: $0))
            },
            label: label, logger: logger,
            signatures: former?.router.token.handout.signatures ?? SignatureMeter())
        self.init(
            tables: callers, clients: ClientAddresses(configuration.proxies),
            limits: try RequestLimits.going(configuration.limits, after: former), reader: reader, handout: handout,
            records: TokenRecords(
                audit: audit, recordsReused: configuration.audit.reused, label: label,
                refusals: former?.refusals ?? RefusalRecords(audit, logger: logger)),
            uncounted: .going(configuration.values, after: former, logger),
            methods: configuration.cors.allowedOrigins.isEmpty ? HTTPMethod.readingNames : CrossOrigin.methods)
    }
}

extension TokenCache {
    /// The former's cache where its tokens would be made the same way today. Tokens of a key that is gone are found no
    /// more, since a token is found by its key's id; where a key has changed under its id, nothing is kept.
    fileprivate static func going(_ reading: Reading, after former: Edition?) -> TokenCache {
        let new = reading.configuration
        if let former, new.makesAnswers(as: former.configuration), reading.signers.agree(with: former.signers) {
            return former.router.token.handout.cache
        }
        return TokenCache(
            maxBytes: new.cache.maxBytes, reuseFraction: new.cache.reuseFraction,
            after: former?.router.token.handout.cache.statistics)
    }
}

extension Configuration {
    /// Whether what is kept with a token, its rendered answer and its name in the log, would be the same.
    fileprivate func makesAnswers(as other: Configuration) -> Bool {
        values.answer == other.answer && values.cache == other.cache && values.log.namesIDs(as: other.log)
            && TokenKind.allCases.allSatisfy { tokenSettings(of: $0) == other.tokenSettings(of: $0) }
    }
}

extension Configuration.Log {
    /// Whether ids appear in the same way, or as little.
    fileprivate func namesIDs(as other: Configuration.Log) -> Bool {
        logsRequests == other.logsRequests && ids == other.ids
    }
}

extension IDLabel {
    /// The digests of a former edition go on, so that lines can be matched.
    fileprivate init(_ log: Configuration.Log, after former: Edition?) throws {
        if let former, log.namesIDs(as: former.configuration.log) {
            self = former.router.token.handout.label
        } else if !log.logsRequests {
            self = .none
        } else {
            self = log.ids == .digest ? .digest(try KeyedDigest.random()) : .plain
        }
    }
}

extension ClientAddresses {
    fileprivate init(_ proxies: Configuration.Proxies) {
        guard !proxies.trusted.isEmpty || proxies.unixSockets else {
            forwarded = nil
            return
        }
        forwarded = ForwardedAddress(
            trusting: proxies.trusted, trustsUnixSockets: proxies.unixSockets,
            reading: proxies.field == .forwarded ? .forwarded : .xForwardedFor)
    }
}

extension UncountedPeers {
    /// What was told once is not told again after a reload.
    fileprivate static func going(
        _ values: ConfigurationValues, after former: Edition?, _ logger: Logger
    ) -> UncountedPeers? {
        guard values.authenticates, values.limits.countAddresses else { return nil }
        return former?.router.token.uncounted ?? UncountedPeers(logger: logger)
    }
}

extension RequestLimits {
    /// Who has asked too often has so after a reload, too.
    fileprivate static func going(
        _ limits: Configuration.Limits, after former: Edition?
    ) throws(RateLimitError) -> RequestLimits {
        if let former, former.configuration.limits == limits { return former.router.token.limits }
        return try RequestLimits(limits)
    }

    private convenience init(_ limits: Configuration.Limits) throws(RateLimitError) {
        func limiter(_ rate: Double, _ burst: Int) throws(RateLimitError) -> RateLimiter? {
            guard rate > 0 else { return nil }
            return RateLimiter(
                try RateLimit(requestsPerSecond: rate, burst: burst), maxBuckets: limits.maxEntries)
        }
        self.init(
            addresses: try limiter(limits.addressRate, limits.addressBurst),
            principals: try limiter(limits.principalRate, limits.principalBurst),
            failures: try limiter(limits.failureRate, limits.failureBurst))
    }
}
