import FleetEngineToken
import HTTPServer
import HTTPServerTLS

/// What operators must act on: expirations, readiness, reloads, event loops and the audit log.
extension DaemonMetrics {
    /// The most samples of one metric, which are those that expire first.
    private static let maxSamples = 100

    /// Times until certificates and API keys expire, and the age of signing keys.
    func expirations(at now: ServerTime) -> [MetricFamily] { certificates(at: now) + keys(at: now) }

    private func certificates(at now: ServerTime) -> [MetricFamily] {
        let (certificates, trust) = (tls?.certificates ?? [], tls?.trust)
        let served = certificates.map(\.validityPeriod)
        func left(_ label: String, _ periods: [ValidityPeriod]?) -> [MetricSample] {
            Self.samples(label, (periods ?? []).map { ($0.name, $0.validity.upperBound - now.epochSeconds) })
        }
        let lifetimes = served.map { ($0.name, $0.validity.upperBound - $0.validity.lowerBound) }
        return [
            MetricFamily(
                .gauge, "token_provider_certificate_remaining_seconds", in: .seconds,
                "Time until a server certificate or its chain expires.",
                left("certificate", served)),
            MetricFamily(
                .gauge, "token_provider_certificate_lifetime_seconds", in: .seconds,
                "Lifetime of the certificate or chain member that expires first.",
                Self.samples("certificate", lifetimes)),
            MetricFamily(
                .gauge, "token_provider_ocsp_response_remaining_seconds", in: .seconds,
                "Time until a certificate's OCSP response expires.",
                left("certificate", certificates.compactMap(\.responseValidityPeriod))),
            MetricFamily(
                .gauge, "token_provider_client_authority_remaining_seconds", in: .seconds,
                "Time until an authority for client certificates expires.",
                left("authority", trust?.authorityValidityPeriods)),
            MetricFamily(
                .gauge, "token_provider_revocation_list_remaining_seconds", in: .seconds,
                "Time until an authority's revocation list expires.",
                left("authority", trust?.revocationValidityPeriods)),
        ]
    }

    private func keys(at now: ServerTime) -> [MetricFamily] {
        let state = state
        let apiKeys = (state.callers.apiKeys?.ends ?? []).map { ($0.name, $0.expiresAt - now.epochSeconds) }
        let age = Int64((now.monotonic - min(state.created.monotonic, now.monotonic)) / 1_000_000_000)
        return [
            MetricFamily(
                .gauge, "token_provider_api_key_remaining_seconds", in: .seconds,
                "Time until an API key expires; at most \(Self.maxSamples) keys.",
                Self.samples("name", apiKeys)),
            MetricFamily(
                .gauge, "token_provider_signing_key_age_seconds", in: .seconds,
                "Time since a service account's key was last read.",
                Self.samples("key_id", state.signers.distinct.map { ($0.keyID, age) })),
        ]
    }

    /// One sample for each name, with the smallest value because two files can have the same name.
    private static func samples(_ label: String, _ values: [(String, Int64)]) -> [MetricSample] {
        Dictionary(values, uniquingKeysWith: min).sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(maxSamples)
            .map { MetricSample([(label, $0.key)], .whole($0.value)) }
    }

    func health(at now: ServerTime, lags: [UInt64]) -> [MetricFamily] {
        let reloads = reloader.history
        return [
            MetricFamily(
                .gauge, "token_provider_ready", "Whether a check of /readyz passes.",
                readiness.findings(at: now).map { MetricSample([("check", $0.check.rawValue)], $0.failure == nil) }),
            MetricFamily(
                .counter, "token_provider_reloads",
                "Reloads.",
                [
                    MetricSample([("outcome", "success")], reloads.successes),
                    MetricSample([("outcome", "failure")], reloads.failures),
                ]),
            MetricFamily(
                .gauge, "token_provider_last_reload_successful",
                "Whether the last reload succeeded; 1 before any.",
                [MetricSample([], reloads.last.failure == nil)]),
            MetricFamily(
                .gauge, "token_provider_loop_lag_seconds", in: .seconds,
                "Time an event loop took to respond to this scrape; 0.5 without a response.",
                lags.enumerated().map { MetricSample([("loop", "\($0.offset)")], .seconds(nanoseconds: $0.element)) }),
        ] + auditLog
    }

    private var auditLog: [MetricFamily] {
        guard let audit = retained.audit else { return [] }
        let records = audit.figures
        return [
            MetricFamily(
                .gauge, "token_provider_audit_waiting_records", "Audit records not yet on stable storage.",
                [MetricSample([], records.waiting)]),
            MetricFamily(
                .gauge, "token_provider_audit_lag_seconds", in: .seconds, "Age of the oldest waiting audit record.",
                [MetricSample([], .seconds(nanoseconds: records.oldest))]),
            MetricFamily(
                .counter, "token_provider_audit_records", "Stored audit records.",
                [MetricSample([], records.kept)]),
            MetricFamily(
                .counter, "token_provider_audit_failures",
                "Audit records not stored; no token was given.",
                [MetricSample([], records.lost)]),
        ]
    }
}
