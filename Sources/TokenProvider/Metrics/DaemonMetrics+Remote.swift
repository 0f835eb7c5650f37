import HTTPServer
import TokenService

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
