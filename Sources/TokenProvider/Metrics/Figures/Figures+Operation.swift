import FleetEngineToken
import HTTPServer
import HTTPServerTLS

/// What whoever runs the daemon has to see to.
extension Figures {
    /// API keys that end are told of as long as they are few enough to be told apart.
    private static let maxKeys = 100

    /// What ends some day, or should be replaced.
    func secrets(at now: ServerTime) -> [MetricFamily] { certificates(at: now) + keys(at: now) }

    private func certificates(at now: ServerTime) -> [MetricFamily] {
        let (certificates, trust) = (tls?.certificates ?? [], tls?.trust)
        let shown = certificates.map(\.validityPeriod)
        func left(_ label: String, _ periods: [ValidityPeriod]?) -> [MetricSample] {
            Self.samples(label, (periods ?? []).map { ($0.name, $0.validity.upperBound - now.epochSeconds) })
        }
        let lives = shown.map { ($0.name, $0.validity.upperBound - $0.validity.lowerBound) }
        return [
            MetricFamily(
                .gauge, "token_provider_certificate_remaining_seconds", in: .seconds,
                "Time until a certificate that clients are shown, or one of its chain, ends; below 0 once it has.",
                left("certificate", shown)),
            MetricFamily(
                .gauge, "token_provider_certificate_lifetime_seconds", in: .seconds,
                "Time from the beginning of that which ends first, of the certificate and its chain, to its end.",
                Self.samples("certificate", lives)),
            MetricFamily(
                .gauge, "token_provider_ocsp_response_remaining_seconds", in: .seconds,
                "Time until the OCSP response to a certificate ends; below 0 once it has, and it is not shown.",
                left("certificate", certificates.compactMap(\.responseValidityPeriod))),
            MetricFamily(
                .gauge, "token_provider_client_authority_remaining_seconds", in: .seconds,
                "Time until an authority ends by which clients' certificates are verified; below 0 once it has.",
                left("authority", trust?.authorityValidityPeriods)),
            MetricFamily(
                .gauge, "token_provider_revocation_list_remaining_seconds", in: .seconds,
                "Time until an authority's revocation list ends; below 0 once it has, and its clients are refused.",
                left("authority", trust?.revocationValidityPeriods)),
        ]
    }

    private func keys(at now: ServerTime) -> [MetricFamily] {
        let state = state
        let apiKeys = (state.callers.apiKeys?.ends ?? []).map { ($0.name, $0.expiresAt - now.epochSeconds) }
        let age = Int64((now.monotonic - min(state.made.monotonic, now.monotonic)) / 1_000_000_000)
        return [
            MetricFamily(
                .gauge, "token_provider_api_key_remaining_seconds", in: .seconds,
                "Time until an API key ends; below 0 once it has. Of the \(Self.maxKeys) that end first.",
                Self.samples("name", apiKeys)),
            MetricFamily(
                .gauge, "token_provider_signing_key_age_seconds", in: .seconds,
                "Time since a service account's key was last read; ready tells whether it signs.",
                Self.samples("key_id", state.signers.distinct.map { ($0.keyID, age) })),
        ]
    }

    /// One sample for each name, the smallest first: two files may be of one name.
    private static func samples(_ label: String, _ values: [(String, Int64)]) -> [MetricSample] {
        Dictionary(values, uniquingKeysWith: min).sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(maxKeys)
            .map { MetricSample([(label, $0.key)], .whole($0.value)) }
    }

    func operation(at now: ServerTime, lags: [UInt64]) -> [MetricFamily] {
        let reloads = reloader.history
        return [
            MetricFamily(
                .gauge, "token_provider_ready", "Whether each check of /readyz is green.",
                readiness.findings(at: now).map { MetricSample([("check", $0.check.rawValue)], $0.failure == nil) }),
            MetricFamily(
                .counter, "token_provider_reloads",
                "Reloads by what came of them; after a failure the former state stays.",
                [
                    MetricSample([("outcome", "success")], reloads.successes),
                    MetricSample([("outcome", "failure")], reloads.failures),
                ]),
            MetricFamily(
                .gauge, "token_provider_last_reload_successful", "Whether the last reload was one, or there was none.",
                [MetricSample([], reloads.last.failure == nil)]),
            MetricFamily(
                .gauge, "token_provider_loop_lag_seconds", in: .seconds,
                "Time that each event loop took to turn when this scrape asked it; at most 0.5, which may be more.",
                lags.enumerated().map { MetricSample([("loop", "\($0.offset)")], .seconds(nanoseconds: $0.element)) }),
        ] + trail
    }

    /// The audit trail, where one is kept.
    private var trail: [MetricFamily] {
        guard let audit else { return [] }
        let figures = audit.figures
        return [
            MetricFamily(
                .gauge, "token_provider_audit_waiting_records", "Records that wait to be durable.",
                [MetricSample([], figures.waiting)]),
            MetricFamily(
                .gauge, "token_provider_audit_lag_seconds", in: .seconds, "How long the oldest of them has waited.",
                [MetricSample([], .seconds(nanoseconds: figures.oldest))]),
            MetricFamily(
                .counter, "token_provider_audit_records", "Records that are durable.", [MetricSample([], figures.kept)]),
            MetricFamily(
                .counter, "token_provider_audit_failures",
                "Records that could not be kept, so that no token was given.",
                [MetricSample([], figures.lost)]),
        ]
    }
}
