import CallerAccess
import HTTPClient
import HTTPServer
import Locking
import Logging

/// The company's back end as one who decides: asked over HTTP by few connections, not twice at once about the same, and
/// left alone while it fails.
package final class ForwardAuth: Sendable {
    package typealias Decided = @Sendable (Result<TimedDecision, BackEndOutage>) -> Void

    private let endpoint: BackEndEndpoint
    /// Nil if nothing is remembered; then every request is asked about.
    private let cache: DecisionCache?
    private let open: Guarded<OpenQuestions<Decided>>
    private let breaker = Guarded(CircuitBreaker())
    private let logger: Logger

    /// A back end whose decisions are remembered in the cache, and for whose answers so many may wait.
    package init(_ endpoint: BackEndEndpoint, remembering cache: DecisionCache?, maxWaiting: Int, logger: Logger) {
        (self.endpoint, self.cache, self.logger) = (endpoint, cache, logger)
        open = Guarded(OpenQuestions(maxWaiting: maxWaiting))
    }

    /// What of a request the back end is shown.
    package func shownFields(of request: borrowing HTTPRequest) -> [BackEndQuestion.Field] {
        endpoint.shownFields(of: request)
    }

    /// The decision about a question, if it is remembered.
    func knownDecision(_ question: BackEndQuestion, at time: ServerTime) -> TimedDecision? {
        cache?.decision(question.digest, at: time.milliseconds, clock: time.epochSeconds)
    }

    /// Asks, unless an equal question is on its way, whose decision is then this one's too. The completion is called once,
    /// on the client's thread, which it must not hold up, or before this returns.
    package func decide(_ question: BackEndQuestion, as identity: RequestIdentity, _ completion: @escaping Decided) {
        guard let cache else { return ask(question, identity, completion) }
        switch open.withLock({ $0.add(completion, question.digest) }) {
        case .wait: return
        case .refuse:
            completion(.failure(BackEndOutage("as many requests wait for its decision as may", health: .unknown)))
        case .ask:
            // An equal question may have ended since somebody looked for its decision.
            let asked = ServerTime.now()
            if let known = knownDecision(question, at: asked) { return end(question, .success(known)) }
            ask(question, identity) { [self] decision in
                if case .success(let decision) = decision {
                    let now = ServerTime.now().milliseconds
                    cache.insert(decision, question.digest, askedAt: asked.milliseconds, at: now)
                }
                end(question, decision)
            }
        }
    }

    private func end(_ question: BackEndQuestion, _ decision: Result<TimedDecision, BackEndOutage>) {
        for decided in open.withLock({ $0.end(question.digest) }) { decided(decision) }
    }

    private func ask(_ question: BackEndQuestion, _ identity: RequestIdentity, _ completion: @escaping Decided) {
        guard let attempt = breaker.withLock({ $0.begin(at: ServerTime.now().milliseconds) }) else {
            return completion(
                .failure(BackEndOutage("it has failed too often and is left alone for a moment", health: .unknown)))
        }
        endpoint.ask(question, as: identity) { [self] decision in
            let now = ServerTime.now()
            note(decision, of: attempt, at: now)
            completion(decision.map { TimedDecision($0, madeAt: now.epochSeconds) })
        }
    }

    private func note(
        _ decision: Result<BackEndDecision, BackEndOutage>, of attempt: CircuitBreaker.Attempt, at time: ServerTime
    ) {
        var (health, reason) = (BackEndHealth.answering, "")
        if case .failure(let outage) = decision { (health, reason) = (outage.health, outage.sentence) }
        switch breaker.withLock({ $0.end(attempt, health, at: time.milliseconds) }) {
        case nil: return
        case .opened(let pause):
            logger.error(
                "the back end of forward_auth fails and is left alone",
                metadata: ["reason": "\(reason)", "pause_ms": "\(pause)"])
        case .closed: logger.notice("the back end of forward_auth answers again")
        }
    }
}

extension ServerTime {
    /// Milliseconds of the monotonic clock.
    fileprivate var milliseconds: Int64 { Int64(monotonic / 1_000_000) }
}
