import FleetEngineToken
import HTTPClient
import HTTPServer
import HTTPServerTLS

/// What operators must act on: expirations, readiness, reloads, event loops and the audit log.
extension DaemonMetrics {
    /// What expires, and the seconds left until then.
    func expirations(at now: ServerTime) -> [Expiration] {
        let (certificates, trust) = (tls?.certificates ?? [], tls?.trust)
        func left(_ periods: [ValidityPeriod]?) -> [Expiration.Term] {
            (periods ?? []).map { period in
                let left = period.left(at: now.epochSeconds)
                return Expiration.Term(name: period.name, seconds: left.seconds, isDue: left.isDue)
            }
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
                (state.callers.apiKeys?.ends ?? []).map {
                    let left = $0.expiresAt - now.epochSeconds
                    return Expiration.Term(name: $0.name, seconds: left, isDue: Expiration.isDue(apiKeyIn: left))
                }),
            Expiration(
                of: "access_token", "Time until the access token expires; 0 without one.", by: "credentials",
                (state.remote?.accessTokenExpiries ?? []).map {
                    Expiration.Term(name: $0, seconds: max(0, ($1 ?? 0) - now.epochSeconds), isDue: false)
                }),
        ]
    }

    /// The lifetimes of certificates, and the age of signing keys.
    func ages(at now: ServerTime) -> [MetricFamily] {
        let periods = (tls?.certificates ?? []).map(\.validityPeriod)
        let lifetimes = periods.map {
            Expiration.Term(name: $0.name, seconds: $0.validity.upperBound - $0.validity.lowerBound, isDue: false)
        }
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

    /// One of them.
    struct Term {
        let name: String
        /// The seconds left.
        let seconds: Int64
        /// Whether it should have been renewed by now, as the alert of its kind says.
        let isDue: Bool
    }

    /// What they are, as a metric and the console name it.
    let kind: String
    let left: [Term]
    let family: MetricFamily

    init(of kind: String, _ help: String, by label: String, _ values: [Term]) {
        (self.kind, left) = (kind, Self.first(values))
        family = .gauge(
            "\(kind)_remaining_seconds", in: .seconds, help, left.map { MetricSample([(label, $0.name)], $0.seconds) })
    }

    /// The least value of each name, since two files can have the same name; of as many as are shown.
    static func first(_ values: [Term]) -> [Term] {
        let least = Dictionary(values.map { ($0.name, $0) }) { $1.seconds < $0.seconds ? $1 : $0 }.values
        return Array(least.sorted { ($0.seconds, $0.name) < ($1.seconds, $1.name) }.prefix(most))
    }

    /// A key that expired more than a day ago is no longer in use.
    static func isDue(apiKeyIn left: Int64) -> Bool {
        RenewalBound.apiKey.includes(left) && left > -ValidityPeriod.daySeconds
    }
}
