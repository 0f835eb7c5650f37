import FleetEngineToken
import HTTPServer
import TokenService

/// Requests and connections.
extension DaemonMetrics {
    func requests(_ statistics: ServerStatistics) -> [MetricFamily] {
        [
            .counter(
                "requests", "Answered requests; route and kind are none if refused before they were known.",
                answers(statistics.answers, "http/1.1") + answers(statistics.streamAnswers, "h2")),
            .histogram(
                "request_duration_seconds",
                "Time from a request's last byte to its answer; 0 for answers in the same event loop turn.",
                zip(RequestCategory.all, statistics.durations).compactMap { category, durations in
                    durations.isEmpty ? nil : durations.sample(labels(category))
                }),
            .counter(
                "problems", "Requests answered with an error.",
                problems(statistics).map { MetricSample([("code", $0.code)], $0.count) }),
        ]
    }

    /// The statuses that were answered. Expected ones are there at 0, so that their first occurrence is an increase.
    private func answers(_ answers: [[HTTPStatus: UInt64]], _ protocolName: String) -> [MetricSample] {
        zip(RequestCategory.all, answers).flatMap { category, counts in
            HTTPStatus.allCases.compactMap { status -> MetricSample? in
                let count = counts[status, default: 0]
                let isExpected =
                    protocolName == "http/1.1" && isServed(category) && [.ok, .serviceUnavailable].contains(status)
                guard count > 0 || isExpected else { return nil }
                let status = "\(status.rawValue)"
                return MetricSample(labels(category) + [("status", status), ("protocol", protocolName)], count)
            }
        }
    }

    private func isServed(_ category: RequestCategory) -> Bool {
        TokenKind.allCases.filter(state.signers.signs).contains {
            category == .query($0) || category == .path($0)
        }
    }

    private func labels(_ category: RequestCategory) -> [MetricSample.Label] {
        [("route", category.labels.route), ("kind", category.labels.kind)]
    }

    /// Requests with each code of a problem, in the order of the codes.
    func problems(_ statistics: ServerStatistics) -> [(code: String, count: UInt64)] {
        var counts: [String: UInt64] = [:]
        for outcome in RequestOutcome.allCases where !outcome.code.isEmpty {
            counts[outcome.code, default: 0] += statistics.count(of: outcome)
        }
        for rejection in RequestRejection.allCases {
            counts[rejection.code, default: 0] += statistics.outcomes[AnswerTally.index(of: rejection)]
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func connections(_ statistics: ServerStatistics) -> [MetricFamily] {
        func count(_ event: ServerEvent) -> UInt64 { statistics.count(of: event) }
        return [
            .gauge("connections", "Open connections of apps.", server.openConnections),
            .gauge("connections_max", "The setting http.max_connections.", state.configuration.http.maxConnections),
            .counter("connections_accepted", "Accepted connections.", count(.connectionAccepted)),
            .counter(
                "connections_refused",
                "Connections over http.max_connections or http.max_connections_per_address, answered with 503.",
                count(.connectionBeyondLimit)),
            .counter(
                "connections_evicted", "Refused connections closed without an answer: too many arrived.",
                count(.connectionEvicted)),
            .counter(
                "connections_aborted", "Connections closed for a client's fault or certificate.", count(.clientRefused)),
            .counter(
                "proxy_headers_refused",
                "Connections closed because the PROXY protocol header was missing or malformed.",
                count(.proxyHeaderRefused)),
            .counter("accept_pauses", "Pauses of accepting: descriptors or memory ran out.", count(.acceptingPaused)),
            .counter("answers_abandoned", "Requests never answered: a bug in the daemon.", count(.answerAbandoned)),
            .counter("http2_connections", "Connections that used HTTP/2.", count(.streamsBegun)),
            handshakes(statistics),
            .counter("tls_handshake_failures", "Failed TLS handshakes.", count(.handshakeFailed)),
            .counter(
                "tls_client_certificates_refused", "TLS handshakes failed by a missing or refused client certificate.",
                count(.certificateRefused)),
        ]
    }

    func memory(_ statistics: ServerStatistics) -> [MetricFamily] {
        let steps: [(String, ServerEvent)] = [
            ("over_share", .connectionOverShare), ("silent", .silentConnectionShed), ("idle", .idleConnectionShed),
            ("session", .sessionShed), ("stream", .streamRefused), ("stalled", .stalledConnectionShed),
            ("refused", .connectionRefused),
        ]
        let held = server.clientMemory
        return [
            .gauge("client_memory_bytes", in: .bytes, "Memory held for clients, also in the kernel, about.", held.used),
            .gauge("client_memory_max_bytes", in: .bytes, "What limits.memory allows.", held.limit),
            .counter(
                "memory_relief",
                "Connections and HTTP/2 requests closed or refused to keep to limits.memory and http.max_connections.",
                steps.map { MetricSample([("step", $0.0)], statistics.count(of: $0.1)) }),
        ]
    }

    private func handshakes(_ statistics: ServerStatistics) -> MetricFamily {
        let events: [(event: ServerEvent, version: String, isResumed: String)] = [
            (.handshakeTLS12, "TLSv1.2", "false"), (.handshakeTLS12Resumed, "TLSv1.2", "true"),
            (.handshakeTLS13, "TLSv1.3", "false"), (.handshakeTLS13Resumed, "TLSv1.3", "true"),
        ]
        return .counter(
            "tls_handshakes",
            "Completed TLS handshakes.",
            tls == nil
                ? []
                : events.map {
                    MetricSample([("version", $0.version), ("resumed", $0.isResumed)], statistics.count(of: $0.event))
                })
    }
}

extension ServerStatistics {
    /// Requests with this outcome, with any credentials.
    func count(of outcome: RequestOutcome) -> UInt64 {
        CredentialType.allCases.reduce(0) { $0 + outcomes[AnswerTally.index(outcome, by: $1)] }
    }
}
