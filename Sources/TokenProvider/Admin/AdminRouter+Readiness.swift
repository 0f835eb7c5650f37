import HTTPServer
import HTTPServerTLS
import StrictJSON
import TokenService

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
            write(findings.compactMap(\.warning), at: time.epochSeconds, to: &json)
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
        json.member(
            "warnings", warnings + certificates.flatMap { $0.warnings(at: now) } + (trust?.warnings(at: now) ?? []))
    }
}
