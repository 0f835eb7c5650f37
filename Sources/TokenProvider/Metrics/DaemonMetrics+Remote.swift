import HTTPServer
import TokenService

/// Signatures that Google makes; nothing if every key is here.
extension DaemonMetrics {
    func remoteSigning(at now: ServerTime) -> [MetricFamily] {
        guard let remote = state.remote else { return [] }
        let (governor, mint) = (remote.figures, retained.remoteMint)
        func gauge(_ name: String, _ value: Int, _ help: String) -> MetricFamily {
            MetricFamily(.gauge, "token_provider_remote_\(name)", help, [MetricSample([], value)])
        }
        return [
            gauge("signatures_in_flight", governor.inFlight, "Signatures Google makes now."),
            gauge("waiting_requests", mint.figures.waiting, "Requests waiting for Google's signature."),
            gauge("planned_refreshes", mint.figures.planned, "Cached tokens with a planned refresh."),
            gauge("quota_available", governor.available, "Signatures the quota allows now."),
            MetricFamily(
                .counter, "token_provider_remote_refusals",
                "Signatures refused without asking Google: quota, circuit breaker or too many in flight.",
                [MetricSample([], governor.refused)]),
            MetricFamily(
                .gauge, "token_provider_remote_outages",
                "Whether Google does not sign for an account.",
                outages(of: remote, mint)),
            MetricFamily(
                .gauge, "token_provider_access_token_remaining_seconds", in: .seconds,
                "Time until the access token expires; 0 without one.",
                remote.accessTokenExpiries.map { source, end in
                    MetricSample([("credentials", source)], .whole(max(0, (end ?? 0) - now.epochSeconds)))
                }),
        ]
    }

    private func outages(of remote: RemoteSigning, _ mint: RemoteMint) -> [MetricSample] {
        let failing = Set(mint.currentOutages.map(\.account))
        return remote.accounts.sorted().map { account in
            MetricSample([("account", account)], failing.contains(account))
        }
    }
}
