import AuditLog
import CallerAccess
import FleetEngineToken
import HTTPServer
import StrictJSON

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
        record.token = AuditedToken(token.jwt[...], token.times, by: request.minter.profile.account)
        let response = response
        return .later { promise in
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
        let cause = RefusalCause.caller(refusal.withoutFeed)
        note(call, cause, refusal.reason, refusal.problem.auditOutcome, refusal.principal)
        return answer(call, .caller(refusal.problem), refusal.principal, refusal.limit)
    }

    /// The answer to a request that is invalid, or cannot be answered now.
    func refuse(_ call: TokenCall, _ problem: TokenProblem, to principal: Principal? = nil) -> HTTPResponse {
        // The problem's sentence may contain the client's words, so it is not counted by them.
        let counted = "the request is invalid, or cannot be answered at the moment"
        note(call, .request(problem), counted, .failed, principal)
        return answer(call, problem, principal)
    }

    private func answer(
        _ call: TokenCall, _ problem: TokenProblem, _ principal: Principal?, _ limit: RequestLimits.Limit? = nil
    ) -> HTTPResponse {
        let credentials = principal.map { CredentialType($0.authentication) } ?? CredentialType(call.credentials)
        return ProblemAnswer.answer(
            problem, route: call.route, subject: subject(of: call),
            tally: AnswerTally(call.category, problem.outcome(by: limit), by: credentials))
    }

    private func subject(of call: TokenCall) -> String {
        (try? call.wanted.get()).map { label.text(for: $0.claims) } ?? ""
    }

    /// Records a refusal and logs it, or counts it by a reason. The answer does not wait for the record, since it gives
    /// nothing away.
    private func note(
        _ call: TokenCall, _ cause: RefusalCause, _ counted: String, _ outcome: AuditRecord.Outcome,
        _ principal: Principal?
    ) {
        let repeated = RepeatedRefusal(outcome, (cause.code, counted), of: principal, from: call.client)
        guard refusals.isSeparate(repeated, of: principal, label) else { return }
        if let audit {
            var record = record(outcome, call, principal)
            record.refusal = (cause.code, cause.explanation(by: .plain))
            audit.append(record.opening())
        }
        // The call itself has credentials, which are not held.
        let note = RefusalNote(cause, call.identity, (try? call.wanted.get())?.claims, principal, call.client, label)
        if cause.isOfClient { refusals.logger.info("refused", metadata: note.metadata) }
        refusals.latest?.add(note)
    }

    private func record(_ outcome: AuditRecord.Outcome, _ call: TokenCall, _ principal: Principal?) -> AuditRecord {
        var record = AuditRecord(
            outcome, requestID: call.identity.ownText, peer: call.client?.description ?? AuditRecord.socketPeer)
        record.clientRequestID = call.identity.givenID
        record.principal = principal.flatMap(AuditRecord.named)
        if case .success(let wanted) = call.wanted { record.claims = wanted.claims }
        return record
    }
}
