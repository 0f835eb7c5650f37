import AuditLog
import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging

/// Records each token request: a log line for a refusal, and an audit record. No token leaves before its record is stored.
package struct TokenRecords: Sendable {
    /// Nil for no audit log.
    let audit: AuditRecorder?
    /// Whether handing out a cached token is recorded too.
    let recordsReused: Bool
    let label: IDLabel
    /// Decides which refusals get their own log line and record.
    let refusals: RefusalRecords

    /// The answer that hands a token out, once its record is stored.
    func handOut(
        _ response: consuming HTTPResponse, _ token: CachedToken, _ outcome: AuditRecord.Outcome,
        _ request: GrantedRequest
    ) -> HTTPAnswer {
        // The record of the request that had the token signed may still be pending, or may have failed.
        guard let audit, recordsReused || !token.isRecorded else { return .now(response) }
        var record = record(outcome, request.call, request.grant.principal)
        record.rule = request.grant.rule
        record.token = AuditedToken(token.token)
        let response = response
        return .promise { promise in
            audit.append(record.opening()) { isDurable in
                if isDurable { token.markRecorded() }
                promise.give { _ in
                    .now(
                        isDurable ? response : answer(request.call, .caller(.auditUnavailable), request.grant.principal)
                    )
                }
            }
        }
    }

    /// The answer to a caller that may not have a token.
    func refuse(_ call: TokenCall, _ refusal: CallerRefusal) -> HTTPResponse {
        let recorded = (refusal.problem.code, refusal.reason)
        let explanation = { refusal.explanation(maxBytes: AuditRecord.maxReason) }
        if record(recorded, explanation, refusal.problem.auditOutcome, call, refusal.principal) {
            refusals.logger.info("refused", metadata: metadata(call, refusal))
        }
        return answer(call, .caller(refusal.problem), refusal.principal, refusal.limit)
    }

    /// The answer to a request that is invalid, or cannot be answered now.
    func refuse(_ call: TokenCall, _ problem: TokenProblem, to principal: Principal? = nil) -> HTTPResponse {
        // The problem's sentence may contain the client's words, and those a secret.
        let recorded = (problem.code, "the request is invalid, or cannot be answered at the moment")
        _ = record(recorded, { recorded.1 }, .failed, call, principal)
        return answer(call, problem, principal)
    }

    private func answer(
        _ call: TokenCall, _ problem: TokenProblem, _ principal: Principal?, _ limit: RequestLimits.Limit? = nil
    ) -> HTTPResponse {
        let subject = (try? call.wanted.get()).map { label.text(for: $0.claims) } ?? ""
        let credentials = principal.map { CredentialType($0.authentication) } ?? CredentialType(call.credentials)
        return ProblemAnswer.answer(
            problem, route: call.route, subject: subject,
            tally: AnswerTally(call.category, problem.outcome(by: limit), by: credentials))
    }

    /// Records or counts a refusal; whether it is recorded separately. The answer does not wait for the record, since it
    /// gives nothing away.
    private func record(
        _ refusal: (code: String, reason: String), _ explanation: () -> String, _ outcome: AuditRecord.Outcome,
        _ call: TokenCall, _ principal: Principal?
    ) -> Bool {
        let repeated = RepeatedRefusal(outcome, refusal, of: principal, from: call.client)
        guard refusals.isSeparate(repeated, of: principal) else { return false }
        guard let audit else { return true }
        var record = record(outcome, call, principal)
        record.refusal = (refusal.code, explanation())
        audit.append(record.opening())
        return true
    }

    private func metadata(_ call: TokenCall, _ refusal: CallerRefusal) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request_id": "\(call.identity.text)", "code": "\(refusal.problem.code)",
            "reason": "\(refusal.explanation(naming: label.naming, maxBytes: AuditRecord.maxReason))",
        ]
        if let trace = call.identity.trace?.parent { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }

    private func record(_ outcome: AuditRecord.Outcome, _ call: TokenCall, _ principal: Principal?) -> AuditRecord {
        var record = AuditRecord(
            outcome, requestID: call.identity.text, peer: call.client?.description ?? AuditRecord.socketPeer)
        record.principal = principal.flatMap(AuditRecord.named)
        if case .success(let wanted) = call.wanted { record.claims = wanted.claims }
        return record
    }
}
