import CallerAccess
import HTTPServer

extension TokenRoute {
    /// Answers by a back end's decision: one that is remembered, or later by a new one.
    package func answer(
        _ wanted: WantedToken, by request: GrantRequest, _ call: TokenCall, at time: ServerTime
    ) throws(CallerRefusal) -> HTTPAnswer {
        if let known = request.forwardAuth.knownDecision(request.question, at: time) {
            return answer(wanted, by: request, .success(known), call, at: time)
        }
        // Who failed too often must not make the back end work either, however many requests come at once.
        let failure = try limits.holdFailure(
            of: request.isProved ? request.principal : nil, from: call.countedClient, at: time)
        return .later { promise in
            let held = HeldAnswer(promise)
            request.forwardAuth.decide(request.question, as: call.identity) { decision in
                held.give { time in
                    failure?.giveBack()
                    return self.answer(wanted, by: request, decision, call, at: time)
                }
            }
        }
    }

    private func answer(
        _ wanted: WantedToken, by request: GrantRequest, _ decision: Result<TimedDecision, BackEndOutage>,
        _ call: TokenCall, at time: ServerTime
    ) -> HTTPAnswer {
        do throws(CallerRefusal) {
            let grant = try request.grant(by: decision)
            // Whoever was proved has been counted; whom the back end names is only known now.
            if !request.isProved, let refusal = limits.excess(of: grant.principal, at: time) { throw refusal }
            return handout.answer(wanted, grant, call, records, at: time)
        } catch {
            return refuse(call, error, at: time)
        }
    }
}
