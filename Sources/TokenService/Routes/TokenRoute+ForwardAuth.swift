import CallerAccess
import HTTPServer

extension TokenRoute {
    /// Answers by a decision of the back end: a cached one, or a new one later.
    package func answer(
        _ wanted: WantedToken, by request: GrantRequest, _ call: TokenCall, at time: ServerTime
    ) -> HTTPAnswer {
        if let cached = request.forwardAuth.cachedDecision(request.question, at: time) {
            return answer(wanted, by: request.pending, .success(cached), call, at: time)
        }
        let call = call.identified
        return .later { promise in self.ask(request, wanted, call, promise) }
    }

    /// Asks the back end, at once or in turn. What its decision costs and records happens when it is made, even if the
    /// client has gone.
    private func ask(_ request: GrantRequest, _ wanted: WantedToken, _ call: TokenCall, _ promise: LateAnswer) {
        let pending = request.pending
        // A caller that failed too often must not make the back end work either, however many requests come at once.
        let admission: QuestionAdmission
        do throws(CallerRefusal) {
            admission = try limits.admitQuestion(
                of: pending.isAuthenticated ? pending.principal : nil, from: call.countedClient,
                isExcessive: call.isExcessive, at: .now())
        } catch {
            return promise.give(refuse(call, error, at: .now()))
        }
        // Another address than the counted one: a peer on this machine is a caller too.
        let caller = RequestLimits.key(of: pending.principal, from: call.client)
        let ask: QuestionLane.Ask = { done in
            request.forwardAuth.decide(request.question, for: caller, as: call.identity) { decision in
                admission.end()
                promise.give(self.answer(wanted, by: pending, decision, call, at: .now()))
                done(decision.isRefusal)
            }
        }
        guard case .queued(let lane, let address, let refusal) = admission else { return ask { _ in } }
        lane.add(
            promise, of: address,
            QuestionLane.Question(ask: ask) { promise.give(self.refuse(call, refusal, at: .now())) })
    }

    private func answer(
        _ wanted: WantedToken, by pending: PendingGrant, _ decision: Result<TimedDecision, BackEndOutage>,
        _ call: TokenCall, at time: ServerTime
    ) -> HTTPAnswer {
        do throws(CallerRefusal) {
            let grant = try pending.grant(by: decision)
            // An authenticated caller was counted before; the name that the back end gives is known only now.
            if !pending.isAuthenticated, let refusal = limits.excess(of: grant.principal, at: time) { throw refusal }
            try limits.requireLimit(of: grant.principal, isExcessive: call.isExcessive)
            return handout.answer(
                GrantedRequest(grant: grant, minter: wanted.minter, form: wanted.form, call: call), at: time)
        } catch {
            return refuse(call, error, at: time)
        }
    }
}

extension Result<TimedDecision, BackEndOutage> {
    /// Whether the back end refused.
    fileprivate var isRefusal: Bool {
        switch self {
        case .success(let timed): [.unauthenticated, .denied, .undefined].contains(timed.decision)
        case .failure: false
        }
    }
}
