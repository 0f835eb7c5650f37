import FleetEngineToken
import HTTPClient
import HTTPServer
import HTTPServerTLS

/// What operators must act on: expirations, readiness, reloads, event loops and the audit log.
extension DaemonMetrics {
    /// What expires, and the seconds left until then.
    func expirations(at now: ServerTime) -> [Expiration] {
        let (certificates, trust) = (tls?.certificates ?? [], tls?.trust)
        func left(_ periods: [ValidityPeriod]?) -> [(String, Int64)] {
            (periods ?? []).map { ($0.name, $0.validity.upperBound - now.epochSeconds) }
        }
        return [
            Expiration(
                of: "certificate", "Time until a server certificate or its chain expires.", by: "certificate",
                left(certificates.map(\.validityPeriod))),
            Expiration(
                of: "ocsp_response", "Time until a certificate's OCSP response expires.", by: "certificate",
                left(certificates.compactMap(\.responseValidityPeriod))),
            Expiration(
                of: "client_authority", "Time until an authority for client certificates expires.", by: "authority",
                left(trust?.authorityValidityPeriods)),
            Expiration(
                of: "revocation_list", "Time until an authority's revocation list expires.", by: "authority",
                left(trust?.revocationValidityPeriods)),
            Expiration(
                of: "api_key", "Time until an API key expires; at most \(Expiration.most) keys.", by: "name",
                (state.callers.apiKeys?.ends ?? []).map { ($0.name, $0.expiresAt - now.epochSeconds) }),
            Expiration(
                of: "access_token", "Time until the access token expires; 0 without one.", by: "credentials",
                (state.remote?.accessTokenExpiries ?? []).map { ($0, max(0, ($1 ?? 0) - now.epochSeconds)) }),
        ]
    }

    /// The lifetimes of certificates, and the age of signing keys.
    func ages(at now: ServerTime) -> [MetricFamily] {
        let periods = (tls?.certificates ?? []).map(\.validityPeriod)
        let lifetimes = periods.map { ($0.name, $0.validity.upperBound - $0.validity.lowerBound) }
        let state = state
        let age = Int64((now.monotonic - min(state.created.monotonic, now.monotonic)) / 1_000_000_000)
        return [
            .gauge(
                "certificate_lifetime_seconds", in: .seconds,
                "Lifetime of the certificate or chain member that expires first.",
                Expiration.first(lifetimes).map { MetricSample([("certificate", $0.name)], $0.seconds) }),
            .gauge(
                "signing_key_age_seconds", in: .seconds, "Time since a service account's key was last read.",
                Set(state.signers.distinct.map(\.keyID)).sorted().map { MetricSample([("key_id", $0)], age) }),
        ]
    }

    func health(at now: ServerTime, lags: [UInt64]) -> [MetricFamily] {
        let reloads = reloader.history
        return [
            .gauge(
                "ready", "Whether a check of /readyz passes.",
                readiness.findings(at: now).map { MetricSample([("check", $0.check.rawValue)], $0.failure == nil) }),
            .counter(
                "reloads",
                "Reloads.",
                [
                    MetricSample([("outcome", "success")], reloads.successes),
                    MetricSample([("outcome", "failure")], reloads.failures),
                ]),
            .gauge(
                "last_reload_successful", "Whether the last reload succeeded; 1 before any.",
                reloads.last.failure == nil),
            .gauge(
                "clock_difference_seconds", in: .seconds,
                "Time by which this machine's clock is ahead of another service's, by its last answer.",
                ClockWatch.shared.differences.map { MetricSample([("endpoint", $0.endpoint)], $0.seconds) }),
            .gauge(
                "loop_lag_seconds", in: .seconds,
                "Time an event loop took to respond to this scrape; 0.5 without a response.",
                lags.enumerated().map {
                    MetricSample([("loop", "\($0.offset)")], MetricNumber.seconds(nanoseconds: $0.element))
                }),
        ] + auditLog
    }

    private var auditLog: [MetricFamily] {
        guard let audit = retained.audit else { return [] }
        let records = audit.figures
        return [
            .gauge("audit_waiting_records", "Audit records not yet on stable storage.", records.waiting),
            .gauge(
                "audit_lag_seconds", in: .seconds, "Age of the oldest waiting audit record.",
                MetricNumber.seconds(nanoseconds: records.oldest)),
            .counter("audit_records", "Stored audit records.", records.kept),
            .counter("audit_failures", "Audit records not stored; no token was given.", records.lost),
        ]
    }
}

/// Things of one kind that expire.
struct Expiration {
    /// The most of them that are shown, which are those that expire first.
    static let most = 100

    /// What they are, as a metric and the console name it.
    let kind: String
    /// The seconds left.
    let left: [(name: String, seconds: Int64)]
    let family: MetricFamily

    init(of kind: String, _ help: String, by label: String, _ values: [(String, Int64)]) {
        (self.kind, left) = (kind, Self.first(values))
        family = .gauge(
            "\(kind)_remaining_seconds", in: .seconds, help, left.map { MetricSample([(label, $0.name)], $0.seconds) })
    }

    /// The least value of each name, since two files can have the same name; of as many as are shown.
    static func first(_ values: [(String, Int64)]) -> [(name: String, seconds: Int64)] {
        Dictionary(values, uniquingKeysWith: min).sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(most)
            .map { ($0.key, $0.value) }
    }
}
