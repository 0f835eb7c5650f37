import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging
import OpenSSLSigner

extension TokenRoute {
    /// The route as a configuration wants it.
    init(
        _ configuration: Configuration, _ signers: Signers, _ callers: CallerTables, _ audit: AuditLog?, logger: Logger
    ) throws {
        let label = try IDLabel(configuration.log)
        let kinds = try ServedKinds(absence: configuration.absence(of:)) { kind in
            try signers.minter(of: kind, configuration)
        }
        gate = CallerGate(callers)
        clients = ClientAddresses(configuration.proxies)
        limits = try RequestLimits(configuration.limits)
        reader = TokenRequestReader(
            kinds: kinds, ignoredParameters: Set(configuration.request.ignoredParameters.map { Array($0.utf8) }),
            expiration: configuration.answer.expiration)
        handout = TokenHandout(
            cache: TokenCache(
                maxBytes: configuration.cache.maxBytes, reuseFraction: configuration.cache.reuseFraction),
            answer: TokenAnswer(names: configuration.answer) {
                ClientMargin(configuration.tokenSettings(of: $0))
            },
            label: label, logger: logger)
        records = TokenRecords(
            audit: audit, recordsReused: configuration.audit.reused, label: label, logger: logger)
    }
}

extension IDLabel {
    fileprivate init(_ log: Configuration.Log) throws {
        guard log.logsRequests else {
            self = .none
            return
        }
        self = log.ids == .digest ? .digest(try KeyedDigest.random()) : .plain
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

extension RequestLimits {
    fileprivate convenience init(_ limits: Configuration.Limits) throws(RateLimitError) {
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
