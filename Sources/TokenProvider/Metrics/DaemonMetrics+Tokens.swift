import BatchSigning
import HTTPServer
import SeparateSigning
import TokenService

/// Minted tokens and the token cache.
extension DaemonMetrics {
    func tokens(_ statistics: ServerStatistics) -> [MetricFamily] {
        let cache = retained.cache.statistics
        return [
            .counter("mints", "Signed tokens.", cache.mints),
            .counter("mint_failures", "Failures to sign a token.", cache.failures),
            .counter("mint_fallbacks", "Failures to sign answered with a valid cached token.", cache.fallbacks),
            .counter("batched_signatures", "Signatures made in batches.", retained.signatures.batched),
            .counter(
                "wrong_batched_signatures", "Wrong signatures in batches; none was used.",
                CryptoMB.wrongSignatures + SeparateBatchSigner.faults),
            .gauge("batch_signing", "Whether tokens are signed in batches.", state.signers.batches.areUsed),
            .gauge(
                "signing_process_up", "Whether the process with the keys signs.",
                state.signers.areSeparate ? state.signers.separateOutage == nil : nil),
            .counter("signing_process_restarts", "Its starts after it had ended.", state.signers.separateRestarts),
            .histogram(
                "signature_duration_seconds",
                "Time to make and sign a token.", [retained.signatures.durations.sample([])]),
            .counter("cache_hits", "Requests answered from the cache.", statistics.count(of: .reused)),
            .counter("cache_misses", "Requests without a fresh cached token.", cache.mints + cache.failures),
            .counter("cache_evictions", "Tokens removed for others before they expired.", cache.evictions),
            .counter("cache_expirations", "Tokens removed after they expired.", cache.expirations),
            .gauge("cache_entries", "Cached tokens.", cache.entries),
            .gauge("cache_bytes", in: .bytes, "Memory of the cache.", cache.bytes),
            .gauge("cache_max_bytes", in: .bytes, "The setting cache.max_bytes.", state.configuration.cache.maxBytes),
        ]
    }
}

/// Signatures that Google makes; nothing if every key is here.
extension DaemonMetrics {
    var remoteSigning: [MetricFamily] {
        guard let remote = state.remote else { return [] }
        let (governor, mint) = (remote.figures, retained.remoteMint)
        return [
            .gauge("remote_signatures_in_flight", "Signatures Google makes now.", governor.inFlight),
            .gauge("remote_waiting_requests", "Requests waiting for Google's signature.", mint.figures.waiting),
            .gauge("remote_planned_refreshes", "Cached tokens with a planned refresh.", mint.figures.planned),
            .gauge("remote_quota_available", "Signatures the quota allows now.", governor.available),
            .counter(
                "remote_refusals",
                "Signatures refused without asking Google: quota, circuit breaker or too many in flight.",
                governor.refused),
            .gauge("remote_outages", "Whether Google does not sign for an account.", outages(of: remote, mint)),
        ]
    }

    private func outages(of remote: RemoteSigning, _ mint: RemoteMint) -> [MetricSample] {
        let failing = Set(mint.currentOutages.map(\.account))
        return remote.accounts.sorted().map { account in
            MetricSample([("account", account)], failing.contains(account))
        }
    }
}
