import FleetEngineToken
import HTTPServer
import TokenService

/// Requests and connections.
extension Figures {
    func requests(_ statistics: ServerStatistics) -> [MetricFamily] {
        [
            MetricFamily(
                .counter, "token_provider_requests",
                "Answered requests by route, kind of token, status and protocol. Route and kind are none where the request "
                    + "was refused before they were known.",
                answers(statistics.answers, "http/1.1") + answers(statistics.streamAnswers, "h2")),
            MetricFamily(
                .histogram, "token_provider_request_duration_seconds", in: .seconds,
                "Time from the turn of an event loop in which a request was whole to its answer. It is 0 for what is "
                    + "answered in the same turn, as with a kept token; "
                    + "token_provider_loop_lag_seconds tells how long a turn takes.",
                zip(RequestCategory.all, statistics.durations).compactMap { category, durations in
                    durations.isEmpty ? nil : durations.sample(labels(category))
                }),
            MetricFamily(
                .counter, "token_provider_problems", "Requests that got an error, by its code.",
                problems(statistics)),
        ]
    }

    /// Those that were given, and at 0 those that are to be expected, so that their first one is a change.
    private func answers(_ answers: [[HTTPStatus: UInt64]], _ name: String) -> [MetricSample] {
        zip(RequestCategory.all, answers).flatMap { category, counts in
            HTTPStatus.allCases.compactMap { status -> MetricSample? in
                let count = counts[status, default: 0]
                let isExpected =
                    name == "http/1.1" && isServed(category) && [.ok, .serviceUnavailable].contains(status)
                guard count > 0 || isExpected else { return nil }
                return MetricSample(labels(category) + [("status", "\(status.rawValue)"), ("protocol", name)], count)
            }
        }
    }

    private func isServed(_ category: RequestCategory) -> Bool {
        state.signers.byKind.keys.contains { category == .query($0) || category == .path($0) }
    }

    private func labels(_ category: RequestCategory) -> [MetricSample.Label] {
        [("route", category.labels.route), ("kind", category.labels.kind)]
    }

    private func problems(_ statistics: ServerStatistics) -> [MetricSample] {
        var counts: [String: UInt64] = [:]
        for outcome in RequestOutcome.allCases where !outcome.code.isEmpty {
            counts[outcome.code, default: 0] += statistics.count(of: outcome)
        }
        for rejection in RequestRejection.allCases {
            counts[rejection.code, default: 0] += statistics.outcomes[AnswerTally.index(of: rejection)]
        }
        return counts.sorted { $0.key < $1.key }.map { MetricSample([("code", $0.key)], $0.value) }
    }

    func connections(_ statistics: ServerStatistics) -> [MetricFamily] {
        func counter(_ name: String, _ event: ServerEvent, _ help: String) -> MetricFamily {
            MetricFamily(.counter, "token_provider_\(name)", help, [MetricSample([], statistics.count(of: event))])
        }
        return [
            MetricFamily(
                .gauge, "token_provider_connections", "Open connections of apps.",
                [MetricSample([], server.openConnections)]),
            MetricFamily(
                .gauge, "token_provider_connections_max", "The setting http.max_connections.",
                [MetricSample([], state.configuration.http.maxConnections)]),
            counter("connections_accepted", .connectionAccepted, "Connections that were accepted."),
            counter(
                "connections_refused", .connectionBeyondLimit,
                "Accepted connections beyond http.max_connections or http.max_connections_per_address, which get 503."),
            counter(
                "connections_evicted", .connectionEvicted,
                "Refused connections that were closed unheard, since others wanted their places."),
            counter(
                "connections_aborted", .clientRefused, "Connections that were ended for what their clients did or are."),
            counter(
                "accept_pauses", .acceptingPaused, "Times that accepting paused, for want of descriptors or memory."),
            counter(
                "answers_abandoned", .answerAbandoned,
                "Requests whose promised answer was never given: a fault of ours."),
            counter("http2_connections", .streamsBegun, "Connections on which HTTP/2 was spoken."),
            handshakes(statistics),
            counter("tls_handshake_failures", .handshakeFailed, "Handshakes of TLS that failed."),
            counter(
                "tls_client_certificates_refused", .certificateRefused,
                "Those of them that failed since the client's certificate was not accepted, or there was none."),
        ]
    }

    private func handshakes(_ statistics: ServerStatistics) -> MetricFamily {
        let events: [(event: ServerEvent, version: String, isResumed: String)] = [
            (.handshakeTLS12, "TLSv1.2", "false"), (.handshakeTLS12Resumed, "TLSv1.2", "true"),
            (.handshakeTLS13, "TLSv1.3", "false"), (.handshakeTLS13Resumed, "TLSv1.3", "true"),
        ]
        return MetricFamily(
            .counter, "token_provider_tls_handshakes",
            "Handshakes of TLS that were done, by version and whether they resumed a session.",
            tls == nil
                ? []
                : events.map {
                    MetricSample([("version", $0.version), ("resumed", $0.isResumed)], statistics.count(of: $0.event))
                })
    }
}

extension ServerStatistics {
    /// Requests with this outcome, whoever asked.
    func count(of outcome: RequestOutcome) -> UInt64 {
        CredentialType.allCases.reduce(0) { $0 + outcomes[AnswerTally.index(outcome, by: $1)] }
    }
}
