import HTTPServer

/// Tokens: how they are made, and how they are kept.
extension Figures {
    func tokens(_ statistics: ServerStatistics) -> [MetricFamily] {
        let cache = retained.cache.statistics
        func counter(_ name: String, _ count: Int, _ help: String) -> MetricFamily {
            MetricFamily(.counter, "token_provider_\(name)", help, [MetricSample([], count)])
        }
        return [
            counter("mints", cache.mints, "Tokens that were signed."),
            counter("mint_failures", cache.failures, "Times that a token could not be signed."),
            counter(
                "mint_fallbacks", cache.fallbacks,
                "How many of these failures a kept token answered that should have been replaced."),
            MetricFamily(
                .histogram, "token_provider_signature_duration_seconds", in: .seconds,
                "Time that a token and its signature took.", [retained.signatures.durations.sample([])]),
            MetricFamily(
                .counter, "token_provider_cache_hits", "Requests that got a kept token.",
                [MetricSample([], statistics.count(of: .reused))]),
            counter("cache_misses", cache.mints + cache.failures, "Requests for which no fresh token was kept."),
            counter("cache_evictions", cache.evictions, "Kept tokens that made room for others before they expired."),
            counter("cache_expirations", cache.expirations, "Kept tokens that left after they had expired."),
            MetricFamily(
                .gauge, "token_provider_cache_entries", "Tokens that are kept.", [MetricSample([], cache.entries)]),
            MetricFamily(
                .gauge, "token_provider_cache_bytes", in: .bytes, "What keeping them takes.",
                [MetricSample([], cache.bytes)]),
            MetricFamily(
                .gauge, "token_provider_cache_max_bytes", in: .bytes, "The setting cache.max_bytes.",
                [MetricSample([], state.configuration.cache.maxBytes)]),
        ]
    }
}
