import CallerAccess
import FleetEngineToken
import HTTPServer
import Logging

/// What is kept of each request for a token: a line of the log for a refusal, and a record of the audit trail, without
/// which no token leaves.
struct TokenRecords: Sendable {
    /// Nil if no trail is kept.
    let audit: AuditLog?
    /// Whether a token that was signed for an earlier request is recorded too.
    let recordsReused: Bool
    let label: IDLabel
    let logger: Logger

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
            audit.append(record) { isDurable in
                if isDurable { token.markRecorded() }
                held.give { _ in .now(isDurable ? response : answer(call, .caller(.auditUnavailable), grant.principal))
                }
            }
        }
    }

    /// The answer to a request that nobody may be handed anything for.
    func refuse(_ call: TokenCall, _ refusal: CallerRefusal) -> HTTPResponse {
        var metadata: Logger.Metadata = [
            "request_id": "\(call.identity.text)", "code": "\(refusal.problem.code)", "reason": "\(refusal.reason)",
        ]
        if let trace = call.identity.trace?.parent { metadata["trace_id"] = "\(trace.traceID)" }
        logger.info("refused", metadata: metadata)
        var record = record(refusal.problem.outcome, call, refusal.principal)
        record.refusal = (refusal.problem.code, refusal.reason)
        append(record)
        return answer(call, .caller(refusal.problem), refusal.principal, refusal.limit)
    }

    /// The answer to a request that is wrong in itself, or that cannot be answered now.
    func refuse(_ call: TokenCall, _ problem: TokenProblem, to principal: Principal? = nil) -> HTTPResponse {
        var record = record(.failed, call, principal)
        // The sentence may hold a stranger's words, and they a secret.
        record.refusal = (problem.code, "the request is wrong in itself, or cannot be answered now")
        append(record)
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

    /// A refusal gives nothing away, so nobody waits for the record of it.
    private func append(_ record: AuditRecord) {
        audit?.append(record) { _ in }
    }

    private func record(_ outcome: AuditRecord.Outcome, _ call: TokenCall, _ principal: Principal?) -> AuditRecord {
        var record = AuditRecord(
            outcome, requestID: call.identity.text, peer: call.client?.description ?? "unix")
        if let principal, principal.source != .anonymous {
            record.principal = (principal.name, principal.source.description)
        }
        if case .success(let wanted) = call.wanted { record.claims = wanted.claims }
        return record
    }
}
