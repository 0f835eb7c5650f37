import FleetEngineToken
import HTTPServer
import HTTPServerTLS
import StrictJSON
import TokenService

/// Routes the requests of the admin listener, which operators and their tools send. It never answers with a token.
struct AdminRouter: Sendable {
    let hosts: AdminHosts
    let metrics: DaemonMetrics
    let reload: ReloadSequence
    /// Nil without the console.
    let console: ConsoleRoute?

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let path = AdminPath(rawValue: request.path)
        guard hosts.include(request) else {
            return .now(ProblemAnswer.answer(.hostNotAllowed, route: path?.rawValue ?? ""))
        }
        guard let path else { return console?.answer(to: request) ?? .now(ProblemAnswer.answer(.unknownAdminPath)) }
        guard request.method.reads || path == .reload else {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.readingNames), route: path.rawValue))
        }
        switch path {
        case .health: return metrics.server.liveness()
        case .readiness: return answerReadiness()
        case .metrics: return answerMetrics(to: request)
        case .version: return .now(.admin(.version) { $0.member("version", metrics.version) })
        case .keys: return .now(.admin(.keys, metrics.state.keySet, type: "application/jwk-set+json"))
        case .reload: return answerReload(to: request)
        }
    }
}

extension HTTPResponse {
    /// An answer of the admin listener: JSON and a line feed, for terminals.
    static func admin(
        _ path: AdminPath, _ json: [UInt8], status: HTTPStatus = .ok, type: String = "application/json"
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: .unstored(type), body: json + [UInt8(ascii: "\n")],
            annotation: HTTPAnnotation(route: path.rawValue))
    }

    /// An object, whose members the closure writes. It cannot control a terminal.
    static func admin(
        _ path: AdminPath, status: HTTPStatus = .ok, _ members: (inout JSONWriter) -> Void
    ) -> HTTPResponse { admin(path, JSONWriter.object(escaping: .logLine, members), status: status) }
}

/// `GET /metrics`: all metrics, in the format that the scraper accepts.
extension AdminRouter {
    /// Nanoseconds to wait for the event loops.
    private static let patience: UInt64 = 500_000_000
    private static let vary = [(name: "Vary", value: "Accept")]

    /// Answers once each event loop has turned, or after half a second.
    func answerMetrics(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let format = MetricsFormat(accepting: request.values(of: "accept"))
        return .later { promise in
            metrics.server.measureLag(within: Self.patience) { lags in
                promise.give { time in .now(response(format, at: time, lags: lags)) }
            }
        }
    }

    private func response(_ format: MetricsFormat, at time: ServerTime, lags: [UInt64]) -> HTTPResponse {
        let families = metrics.families(at: time, lags: lags)
        return HTTPResponse(
            status: .ok, fields: .unstored(format.contentType, Self.vary),
            body: MetricsWriter.write(families, as: format, created: metrics.start.epochSeconds),
            annotation: HTTPAnnotation(route: AdminPath.metrics.rawValue))
    }
}

/// `GET /readyz`: the checks of readiness, the days left for certificates, warnings, and the last reload.
extension AdminRouter {
    private var readiness: Readiness { metrics.readiness }

    func answerReadiness() -> HTTPAnswer {
        .afterWork { time in .now(response(readiness.findings(at: time), at: time)) }
    }

    private func response(_ findings: [Readiness.Finding], at time: ServerTime) -> HTTPResponse {
        let isReady = findings.allSatisfy { $0.failure == nil }
        return .admin(.readiness, status: isReady ? .ok : .serviceUnavailable) { json in
            json.member("ready", isReady)
            json.member("checks") { json in
                for finding in findings { json.member(finding.check.rawValue, finding.failure ?? "ok") }
            }
            if readiness.hasSigningProcess { json.member("signing_process", "separate") }
            if readiness.signsBatches { json.member("signs_batches", true) }
            write(readiness.warnings(findings, at: time.epochSeconds), at: time.epochSeconds, to: &json)
            // After a failed reload the daemon is still ready: the previous configuration serves.
            metrics.reloader.history.last.write(to: &json)
        }
    }

    /// Writes the days until the first certificate, OCSP response, client authority and revocation list expires, and
    /// warnings.
    private func write(_ warnings: [String], at now: Int64, to json: inout JSONWriter) {
        let tls = readiness.tls
        guard tls != nil || !warnings.isEmpty else { return }
        let (certificates, trust) = (tls?.certificates ?? [], tls?.trust)
        for (name, periods) in [
            ("certificate_days", certificates.map(\.validityPeriod)),
            ("ocsp_response_days", certificates.compactMap(\.responseValidityPeriod)),
            ("client_authority_days", trust?.authorityValidityPeriods ?? []),
            ("revocation_list_days", trust?.revocationValidityPeriods ?? []),
        ] {
            guard let end = periods.map(\.validity.upperBound).min() else { continue }
            json.member(name, (end - now) / ValidityPeriod.daySeconds)
        }
        json.member("warnings", warnings)
    }
}

/// `POST /reload` of the admin listener: reloads as SIGHUP does, and answers with the result.
extension AdminRouter {
    /// The header that a request must have, and its value.
    static let reloadHeader = (name: OperatorRequest.header, value: "reload")

    func answerReload(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let route = AdminPath.reload.rawValue
        guard request.method == .post else {
            return .now(ProblemAnswer.answer(.methodNotAllowed(allowed: HTTPMethod.post.rawValue), route: route))
        }
        guard OperatorRequest.isMeant(request, as: Self.reloadHeader.value) else {
            return .now(ProblemAnswer.answer(.reloadFieldMissing, route: route))
        }
        return .later { promise in
            reload.run { outcome in promise.give { _ in .now(Self.response(outcome)) } }
        }
    }

    private static func response(_ outcome: ReloadOutcome) -> HTTPResponse {
        .admin(.reload, status: outcome.failure == nil ? .ok : .internalServerError) { json in
            json.member("reloaded", outcome.failure == nil)
            if outcome.failure != nil { json.member("applied", outcome.isApplied) }
            if !outcome.changed.isEmpty { json.member("changed", outcome.changed) }
            outcome.write(to: &json)
        }
    }
}

extension ReloadOutcome {
    /// Writes why the last reload failed and which changes need a restart, if any.
    func write(to json: inout JSONWriter) {
        if let failure { json.member("reload_errors", failure) }
        if !needRestart.isEmpty { json.member("restart_for", needRestart) }
    }
}
