import BatchSigning
import HTTPServer
import SeparateSigning

/// Minted tokens and the token cache.
extension DaemonMetrics {
    func tokens(_ statistics: ServerStatistics) -> [MetricFamily] {
        let cache = retained.cache.statistics
        func counter(_ name: String, _ count: Int, _ help: String) -> MetricFamily {
            MetricFamily(.counter, "token_provider_\(name)", help, [MetricSample([], count)])
        }
        return [
            counter("mints", cache.mints, "Signed tokens."),
            counter("mint_failures", cache.failures, "Failures to sign a token."),
            counter(
                "mint_fallbacks", cache.fallbacks,
                "Failures to sign answered with a valid cached token."),
            counter(
                "batched_signatures", CryptoMB.signatures + SeparateBatchSigner.signatures,
                "Signatures made in batches."),
            counter(
                "wrong_batched_signatures", CryptoMB.wrongSignatures + SeparateBatchSigner.wrongSignatures,
                "Wrong signatures in batches; none was used."),
            MetricFamily(
                .gauge, "token_provider_batch_signing", "Whether tokens are signed in batches.",
                [MetricSample([], state.signers.batches.areUsed ? 1 : 0)]),
            MetricFamily(
                .gauge, "token_provider_signing_process_up", "Whether the process with the keys signs.",
                state.signers.areSeparate ? [MetricSample([], state.signers.separateOutage == nil ? 1 : 0)] : []),
            MetricFamily(
                .counter, "token_provider_signing_process_restarts", "Its starts after it had ended.",
                state.signers.separateRestarts.map { [MetricSample([], $0)] } ?? []),
            MetricFamily(
                .histogram, "token_provider_signature_duration_seconds", in: .seconds,
                "Time to make and sign a token.", [retained.signatures.durations.sample([])]),
            MetricFamily(
                .counter, "token_provider_cache_hits", "Requests answered from the cache.",
                [MetricSample([], statistics.count(of: .reused))]),
            counter("cache_misses", cache.mints + cache.failures, "Requests without a fresh cached token."),
            counter(
                "cache_evictions", cache.evictions, "Tokens removed for others before they expired."),
            counter("cache_expirations", cache.expirations, "Tokens removed after they expired."),
            MetricFamily(
                .gauge, "token_provider_cache_entries", "Cached tokens.", [MetricSample([], cache.entries)]),
            MetricFamily(
                .gauge, "token_provider_cache_bytes", in: .bytes, "Memory of the cache.",
                [MetricSample([], cache.bytes)]),
            MetricFamily(
                .gauge, "token_provider_cache_max_bytes", in: .bytes, "The setting cache.max_bytes.",
                [MetricSample([], state.configuration.cache.maxBytes)]),
        ]
    }
}
