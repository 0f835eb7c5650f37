import FleetEngineToken
import HTTPServer
import TokenService

/// Authentication, authorization, limits and issuers' keys.
extension DaemonMetrics {
    /// The result of authentication that an outcome implies; nil if it was not attempted.
    private static func authentication(_ outcome: RequestOutcome) -> String? {
        switch outcome {
        case .unauthenticated, .invalidCredentials, .checkUnavailable: outcome.code
        case .failuresLimited: "limited"
        case .answered, .unknownPath, .methodNotAllowed, .originNotAllowed, .addressLimited: nil
        default: "accepted"
        }
    }

    /// The result of authorization that an outcome implies; nil if it was not attempted.
    private static func authorization(_ outcome: RequestOutcome) -> String? {
        switch outcome {
        case .minted, .reused, .auditUnavailable, .signingUnavailable: "allowed"
        case .notAllowed, .callerRequired: outcome.code
        default: nil
        }
    }

    func callers(_ statistics: ServerStatistics) -> [MetricFamily] {
        [
            .counter(
                "authentications",
                "Token requests by credentials and result.",
                CredentialType.allCases.flatMap { type in
                    sums(of: Self.authentication) { statistics.outcomes[AnswerTally.index($0, by: type)] }
                        .filter { $0.count > 0 || $0.result == "accepted" }.map {
                            MetricSample([("authenticator", type.label), ("result", $0.result)], $0.count)
                        }
                }),
            .counter(
                "authorizations",
                "Authenticated token requests by result.",
                sums(of: Self.authorization) { statistics.count(of: $0) }.map {
                    MetricSample([("result", $0.result)], $0.count)
                }),
            .counter(
                "limited_requests", "Requests answered with 429.",
                RequestLimits.Limit.allCases.map { limit in
                    MetricSample([("limit", limit.rawValue)], statistics.count(of: limit.outcome))
                }),
            .counter(
                "limiter_forgotten",
                "Callers forgotten too early: limits.max_entries reached.",
                RequestLimits.Limit.allCases.compactMap { limit in
                    retained.limits.limiter(of: limit).map {
                        MetricSample([("limit", limit.rawValue)], $0.statistics.forgotten)
                    }
                }),
        ]
    }

    /// Counts by result, in the order of the results' names.
    private func sums(
        of result: (RequestOutcome) -> String?, _ count: (RequestOutcome) -> UInt64
    ) -> [(result: String, count: UInt64)] {
        var sums: [String: UInt64] = [:]
        for outcome in RequestOutcome.allCases {
            if let result = result(outcome) { sums[result, default: 0] += count(outcome) }
        }
        return sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The age in seconds of each issuer's fetched keys, nil without valid ones, and the failures to fetch them.
    var issuerKeys: [(issuer: String, keys: (age: Int64?, failures: Int))] {
        (state.callers.issuers?.sortedFeeds ?? []).map { ($0.issuer, $0.figures) }
    }

    /// The fetched keys of issuers.
    var keySets: [MetricFamily] {
        let issuers = issuerKeys.map { (labels: [(name: "issuer", value: $0.issuer)], keys: $0.keys) }
        return [
            .gauge(
                "jwks_age_seconds", in: .seconds,
                "Time since an issuer's keys were fetched; absent without valid ones.",
                issuers.compactMap { issuer in issuer.keys.age.map { MetricSample(issuer.labels, $0) } }),
            .gauge(
                "jwks_usable", "Whether an issuer has valid keys.",
                issuers.map { MetricSample($0.labels, $0.keys.age != nil) }),
            .counter(
                "jwks_fetch_failures", "Failures to fetch an issuer's keys.",
                issuers.map { MetricSample($0.labels, $0.keys.failures) }),
        ]
    }
}

extension RequestLimits.Limit {
    /// The outcome of a request over the limit.
    fileprivate var outcome: RequestOutcome {
        switch self {
        case .address: .addressLimited
        case .principal: .principalLimited
        case .failures: .failuresLimited
        }
    }
}
