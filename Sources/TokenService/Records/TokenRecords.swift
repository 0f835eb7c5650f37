import AuditLog
import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging

/// What is kept of each request for a token: a line of the log for a refusal, and a record of the audit trail, without
/// which no token leaves.
package struct TokenRecords: Sendable {
    /// Nil if no trail is kept.
    let audit: AuditRecorder?
    /// Whether a token that was signed for an earlier request is recorded too.
    let recordsReused: Bool
    let label: IDLabel
    /// Which refusals stand for themselves, and the log's lines of them.
    let refusals: RefusalRecords

    /// The answer that hands a token out, as soon as the record of it is kept.
    func handOut(
        _ response: HTTPResponse, _ token: CachedToken, _ outcome: AuditRecord.Outcome, _ grant: Grant,
        _ call: TokenCall
    ) -> HTTPAnswer {
        // The record of the one who had it signed may not be kept yet, or never will be.
        guard let audit, recordsReused || !token.isRecorded else { return .now(response) }
        var record = record(outcome, call, grant.principal)
        record.rule = grant.rule
        record.token = AuditedToken(token.token)
        return .later { promise in
            let held = HeldAnswer(promise)
            audit.append(record.opening()) { isDurable in
                if isDurable { token.markRecorded() }
                held.give { _ in .now(isDurable ? response : answer(call, .caller(.auditUnavailable), grant.principal))
                }
            }
        }
    }

    /// The answer to a request that nobody may be handed anything for.
    func refuse(_ call: TokenCall, _ refusal: CallerRefusal) -> HTTPResponse {
        let told = (refusal.problem.code, refusal.reason)
        let explanation = { refusal.explanation(maxBytes: AuditRecord.maxReason) }
        if keep(told, explanation, refusal.problem.outcome, call, refusal.principal) {
            refusals.logger.info("refused", metadata: metadata(call, refusal))
        }
        return answer(call, .caller(refusal.problem), refusal.principal, refusal.limit)
    }

    /// The answer to a request that is wrong in itself, or that cannot be answered now.
    func refuse(_ call: TokenCall, _ problem: TokenProblem, to principal: Principal? = nil) -> HTTPResponse {
        // The sentence may hold a stranger's words, and they a secret.
        let told = (problem.code, "the request is wrong in itself, or cannot be answered now")
        _ = keep(told, { told.1 }, .failed, call, principal)
        return answer(call, problem, principal)
    }

    private func answer(
        _ call: TokenCall, _ problem: TokenProblem, _ principal: Principal?, _ limit: RequestLimits.Limit? = nil
    ) -> HTTPResponse {
        let subject = (try? call.wanted.get()).map { label.text(for: $0.claims) } ?? ""
        let proof = principal.map { CallerProof($0.proof) } ?? CallerProof(call.credentials)
        return ProblemAnswer.answer(
            problem, route: call.route, subject: subject,
            tally: AnswerTally(call.category, RequestOutcome(problem, by: limit), by: proof))
    }

    /// Keeps the record of a refusal, or counts it; whether it stands for itself. It gives nothing away, so nobody waits
    /// for the record of it.
    private func keep(
        _ refusal: (code: String, reason: String), _ explanation: () -> String, _ outcome: AuditRecord.Outcome,
        _ call: TokenCall, _ principal: Principal?
    ) -> Bool {
        let repeated = RepeatedRefusal(outcome, refusal, of: principal, from: call.client)
        guard refusals.stands(repeated, of: principal) else { return false }
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
