import CallerAccess
import HTTPServer
import ServiceConfiguration
import TokenService

extension ConfigurationResolver {
    /// The least that clients may hold by default.
    private static let leastForClients = 8 << 20

    /// The same with defaults that fit into this memory together. Clients get half of it, or what the others leave: the
    /// caches of tokens and of decisions at most a quarter and a sixteenth, and the tables of limits three sixteenths.
    func fitting(_ limit: MemoryLimit = .current()) -> ConfigurationResolver {
        let sixteenth = limit.bytes / 16
        var fitted = self
        // In little memory the program itself takes much of it, and the cache has its plans of renewals beside it.
        let verified = values.issuers.isEmpty ? 0 : BearerTokenVerifier.usualCacheBytes
        let rest = 12 * sixteenth - MemoryPlan.program - Self.leastForClients - verified
        let beside = rest * RemoteMint.planPart / (RemoteMint.planPart + 1)
        let cache = min(values.cache.maxBytes, 4 * sixteenth, max(1 << 20, beside))
        fitted.setDefault("cache.max_bytes", \.cache.maxBytes, cache)
        fitted.setDefault(
            "forward_auth.cache_bytes", \.forwardAuth.cacheBytes, min(values.forwardAuth.cacheBytes, sixteenth))
        fitted.setDefault(
            "limits.max_entries", \.limits.maxEntries, min(values.limits.maxEntries, 3 * sixteenth / MemoryPlan.entry)
        )
        let left = limit.bytes - MemoryPlan(fitted.values, within: limit).others
        let clients = max(Self.leastForClients, min(8 * sixteenth, left, MemoryLimits.largestDefault))
        fitted.setDefault("limits.memory", \.limits.memory, clients)
        let connections = (fitted.values.limits.memory ?? clients) / MemoryFootprint.connection
        fitted.setDefault("http.max_connections", \.http.maxConnections, min(values.http.maxConnections, connections))
        return fitted
    }
}
