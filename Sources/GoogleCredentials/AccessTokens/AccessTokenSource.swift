import Concurrency
import Dispatch

/// Whether there is an access token, for readiness.
package struct AccessTokenState: Hashable, Sendable {
    /// When the token expires, in seconds since the epoch; nil if there is none that can be used.
    package let validUntil: Int64?
    /// Why the last fetch failed; nil if it succeeded, and before the first.
    package let lastError: AccessTokenError?
}

/// Keeps one access token: fetches it once for all who wait, renews it in the background before it expires, and after
/// failures pauses longer and longer.
package final class AccessTokenSource: Sendable {
    /// Who takes a token, or why there is none.
    package typealias Completion = @Sendable (Result<AccessToken, AccessTokenError>) -> Void

    private struct Kept {
        var schedule: AccessTokenSchedule
        var waiting: [Completion] = []
        var isKeptFresh = false
    }

    /// The longest time until the next look at the clock, in seconds: it may have been set.
    private static let longestSleep: Int64 = 60
    private static let queue = DispatchQueue(label: "access-tokens")

    private let fetch: @Sendable (@escaping Completion) -> Void
    private let clock: @Sendable () -> Int64
    private let kept: Guarded<Kept>

    /// A source without a token. `fetch` fetches one and calls its completion exactly once, on any thread; `clock` returns
    /// seconds since the epoch; `refreshMargin` is how many seconds before its expiry a token is renewed.
    package init(
        fetch: @escaping @Sendable (@escaping @Sendable (Result<AccessToken, AccessTokenError>) -> Void) -> Void,
        clock: @escaping @Sendable () -> Int64, refreshMargin: Int64 = 300
    ) {
        self.fetch = fetch
        self.clock = clock
        kept = Guarded(Kept(schedule: AccessTokenSchedule(margin: refreshMargin)))
    }

    /// A token that is still valid for some seconds, or why there is none. The completion is called exactly once: before
    /// this returns if that is known, or else when the fetch in flight has ended.
    package func token(_ completion: @escaping @Sendable (Result<AccessToken, AccessTokenError>) -> Void) {
        let (answer, begins) = kept.withLock { kept in
            let (answer, begins) = kept.schedule.ask(at: clock())
            if case .wait = answer { kept.waiting.append(completion) }
            return (answer, begins)
        }
        if begins { begin() }
        switch answer {
        case .token(let token): completion(.success(token))
        case .failed(let error): completion(.failure(error))
        case .wait: break
        }
    }

    /// A service refused this token with the status 401: fetches another one, unless that was done a short time ago.
    package func reject(_ token: AccessToken) {
        if kept.withLock({ $0.schedule.reject(token, at: clock()) }) { begin() }
    }

    /// Whether there is a token, and until when.
    package func state() -> AccessTokenState {
        kept.withLock { kept in
            AccessTokenState(
                validUntil: kept.schedule.validUntil(at: clock()), lastError: kept.schedule.lastError)
        }
    }

    /// Fetches the first token and renews each one in time even without requests, until this object is released. Whether that
    /// begins now.
    package func keepFresh() -> Bool {
        let isFirst = kept.withLock { kept in
            defer { kept.isKeptFresh = true }
            return !kept.isKeptFresh
        }
        if isFirst { look() }
        return isFirst
    }

    private func look() {
        let (begins, pause) = kept.withLock { kept in
            let now = clock()
            return (kept.schedule.beginsFetch(at: now), kept.schedule.pause(at: now))
        }
        if begins { begin() }
        let sleep = Int(min(pause, Self.longestSleep))
        Self.queue.asyncAfter(deadline: .now() + .seconds(sleep)) { [weak self] in self?.look() }
    }

    /// The fetch keeps this object alive, so that every waiting request gets its answer.
    private func begin() {
        fetch { result in self.ended(result) }
    }

    private func ended(_ result: Result<AccessToken, AccessTokenError>) {
        let waiting = kept.withLock { kept in
            switch result {
            case .success(let token): kept.schedule.succeeded(token, at: clock())
            case .failure(let error):
                kept.schedule.failed(error, at: clock(), jitter: Double.random(in: 0...1))
            }
            defer { kept.waiting = [] }
            return kept.waiting
        }
        for completion in waiting { completion(result) }
    }
}
