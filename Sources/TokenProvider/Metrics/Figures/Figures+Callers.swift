import FleetEngineToken
import HTTPServer
import TokenService

/// Who asked, and what they were allowed.
extension Figures {
    /// What a request's outcome says of whether its caller proved who they are; nil if that was not looked at.
    private static func authentication(_ outcome: RequestOutcome) -> String? {
        switch outcome {
        case .unauthenticated, .invalidCredentials, .checkUnavailable: outcome.code
        case .failuresLimited: "limited"
        case .answered, .unknownPath, .methodNotAllowed, .originNotAllowed, .addressLimited: nil
        default: "accepted"
        }
    }

    /// What it says of whether the caller may have the token; nil if that was not decided.
    private static func authorization(_ outcome: RequestOutcome) -> String? {
        switch outcome {
        case .minted, .reused, .auditUnavailable, .signingUnavailable: "allowed"
        case .notAllowed, .callerRequired: outcome.code
        default: nil
        }
    }

    func callers(_ statistics: ServerStatistics) -> [MetricFamily] {
        [
            MetricFamily(
                .counter, "token_provider_authentications",
                "Requests for tokens by what was shown to prove who is calling, and what came of that.",
                CredentialType.allCases.flatMap { proof in
                    sums(of: Self.authentication) { statistics.outcomes[AnswerTally.index($0, by: proof)] }
                        .filter { $0.count > 0 || $0.result == "accepted" }.map {
                            MetricSample([("authenticator", proof.label), ("result", $0.result)], $0.count)
                        }
                }),
            MetricFamily(
                .counter, "token_provider_authorizations",
                "Requests of callers who are known, by whether they may have the token.",
                sums(of: Self.authorization) { statistics.count(of: $0) }.map {
                    MetricSample([("result", $0.result)], $0.count)
                }),
            MetricFamily(
                .counter, "token_provider_limited_requests", "Requests that were answered 429, by the limit.",
                RequestLimits.Limit.allCases.map { limit in
                    MetricSample([("limit", limit.rawValue)], statistics.count(of: limit.outcome))
                }),
            MetricFamily(
                .counter, "token_provider_limiter_forgotten",
                "Callers whom a limit forgot too early, for want of room (limits.max_entries).",
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

    /// The keys of identity providers that are fetched.
    var keySets: [MetricFamily] {
        let feeds = (state.callers.issuers?.feeds ?? [:]).sorted { $0.key < $1.key }
        let figures = feeds.map { (labels: [(name: "issuer", value: $0.key)], figures: $0.value.figures) }
        return [
            MetricFamily(
                .gauge, "token_provider_jwks_age_seconds", in: .seconds,
                "Time since an issuer's keys were fetched; none while there are none.",
                figures.compactMap { issuer in issuer.figures.age.map { MetricSample(issuer.labels, .whole($0)) } }),
            MetricFamily(
                .gauge, "token_provider_jwks_usable", "Whether there are keys of an issuer to verify tokens by.",
                figures.map { MetricSample($0.labels, $0.figures.age != nil) }),
            MetricFamily(
                .counter, "token_provider_jwks_fetch_failures", "Times that an issuer's keys could not be fetched.",
                figures.map { MetricSample($0.labels, $0.figures.failures) }),
        ]
    }
}

extension RequestLimits.Limit {
    /// What comes of a request beyond it.
    fileprivate var outcome: RequestOutcome {
        switch self {
        case .address: .addressLimited
        case .principal: .principalLimited
        case .failures: .failuresLimited
        }
    }
}
