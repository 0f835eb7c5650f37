import CallerAccess
import Concurrency
import Dispatch
import HTTPClient
import HTTPServer
import Logging

/// Asks the company's back end for decisions, over few HTTP connections. Equal questions at the same time are asked once,
/// and requests pause while it fails.
package final class ForwardAuth: Sendable {
    package typealias Decided = @Sendable (Result<TimedDecision, BackEndOutage>) -> Void

    /// Requests that wait for the answer to another one's question.
    private static let mostWaiting = 10_000
    private static let crowded = BackEndOutage(
        "too many requests wait for its decisions; expected at most \(mostWaiting)", health: .unknown)

    let endpoint: BackEndEndpoint
    /// Nil if decisions are not cached; then the back end is asked about every request.
    private let cache: DecisionCache?
    private let open = Guarded(OpenQuestions<Decided>(most: mostWaiting))
    private let breaker = Guarded(CircuitBreaker())
    private let logger: Logger
    /// Answers those that wait, so that other answers of the back end do not wait meanwhile.
    private let queue = DispatchQueue(label: "decisions")

    package init(_ endpoint: BackEndEndpoint, caching cache: DecisionCache?, logger: Logger) {
        (self.endpoint, self.cache, self.logger) = (endpoint, cache, logger)
    }

    /// Nil if the decision is not cached.
    func cachedDecision(_ question: BackEndQuestion, at time: ServerTime) -> TimedDecision? {
        cache?.decision(question.digest, at: time.milliseconds, clock: time.epochSeconds)
    }

    /// Asks for a caller, nil for one that cannot be told from others; or waits for the decision about an equal question
    /// that is pending. The completion is called once, before this returns or on another thread, which it must not block.
    package func decide(
        _ question: BackEndQuestion, for caller: RateLimitKey?, as identity: RequestIdentity,
        _ completion: @escaping Decided
    ) {
        guard let cache else { return ask(question, caller, identity, completion) }
        let (isAsked, evicted) = open.withLock { $0.add(completion, question.digest) }
        evicted?(.failure(Self.crowded))
        guard !isAsked else { return }
        // An equal question may have been decided since the cache was read.
        let asked = ServerTime.now()
        if let cached = cachedDecision(question, at: asked) { return end(question, .success(cached), completion) }
        ask(question, caller, identity) { [self] decision in
            if case .success(let decision) = decision {
                let now = ServerTime.now().milliseconds
                cache.insert(decision, question.digest, askedAt: asked.milliseconds, at: now)
            }
            end(question, decision, completion)
        }
    }

    private func end(
        _ question: BackEndQuestion, _ decision: Result<TimedDecision, BackEndOutage>, _ completion: Decided
    ) {
        let waiting = open.withLock { $0.end(question.digest) }
        completion(decision)
        guard !waiting.isEmpty else { return }
        queue.async { for decided in waiting { decided(decision) } }
    }

    private func ask(
        _ question: BackEndQuestion, _ caller: RateLimitKey?, _ identity: RequestIdentity,
        _ completion: @escaping Decided
    ) {
        guard let attempt = breaker.withLock({ $0.begin(for: caller, at: ServerTime.now().milliseconds) }) else {
            let reason = "requests to it are paused, since it fails for most callers"
            return completion(.failure(BackEndOutage(reason, health: .unknown)))
        }
        endpoint.ask(question, for: caller, as: identity) { [self] decision in
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
                "forward_auth back end fails for most callers; pausing requests to it",
                metadata: ["reason": "\(reason)", "pause_ms": "\(pause)"])
        case .closed: logger.notice("forward_auth back end answers again")
        }
    }
}

extension ServerTime {
    /// The monotonic clock in milliseconds.
    fileprivate var milliseconds: Int64 { Int64(monotonic / 1_000_000) }
}
