import CallerAccess
import Concurrency
import Dispatch
import HTTPServer

/// Verifies the tokens of addresses whose tokens failed often lately, or of all while many fail: on a thread of its own and
/// in a quarter of its time, in turns (`WaitingRequests`). So forged tokens cost a bounded share of a processor, and a
/// valid one waits for few of its neighbours' but is never refused for them.
package final class VerificationLane: Sendable {
    typealias Verification = @Sendable () -> Void

    /// How many tokens of one address may fail in a second before the others wait their turn here, and after a pause.
    private static let ofAddress = RateLimit(requestsPerSecond: 10, burst: 50)
    /// The same for all addresses.
    private static let inAll = RateLimit(requestsPerSecond: 500, burst: 2000)
    /// Nanoseconds of work, and the pause after it.
    private static let slice: UInt64 = 5_000_000
    private static let pause = DispatchTimeInterval.milliseconds(15)
    /// All addresses together; no address has these bytes.
    private static let everyone = RateLimitKey(address: [0].span)
    /// Clients without an address.
    private static let unknown = RateLimitKey(address: [1].span)

    private let addresses = RateLimiter(ofAddress, maxBuckets: 1 << 16)
    private let all = RateLimiter(inAll, maxBuckets: 8)
    private let queue = DispatchQueue(label: "verification", qos: .utility)
    private let state = Guarded((waiting: WaitingRequests<Verification>(), isRunning: false))

    /// Counts a token of this address that was refused, `inAll` also among those of all addresses.
    func countFailure(of client: IPAddress?, inAll: Bool, at time: ServerTime) {
        addresses.take(Self.key(client), at: time.monotonic)
        if inAll { all.take(Self.everyone, at: time.monotonic) }
    }

    /// Whether tokens of this address are verified here.
    func takes(_ client: IPAddress?, at time: ServerTime) -> Bool {
        all.isExceeded(Self.everyone, at: time) || addresses.isExceeded(Self.key(client), at: time)
    }

    /// Has the token of this address's request verified in its turn.
    func add(_ request: LateAnswer, of client: IPAddress?, _ verify: @escaping Verification) {
        let starts = state.withLock { state in
            _ = state.waiting.add(request, of: Self.key(client), verify)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { queue.async { self.work() } }
    }

    private func work() {
        let end = MonotonicTime.now() + Self.slice
        while MonotonicTime.now() < end {
            let next = state.withLock { state in
                let next = state.waiting.next()
                state.isRunning = next != nil
                return next
            }
            guard let next else { return }
            next.work()
            state.withLock { $0.waiting.end(next) }
        }
        queue.asyncAfter(deadline: .now() + Self.pause) { self.work() }
    }

    private static func key(_ client: IPAddress?) -> RateLimitKey { RateLimitKey(client) ?? unknown }
}

extension RateLimiter {
    fileprivate func isExceeded(_ key: RateLimitKey, at time: ServerTime) -> Bool {
        check(key, at: time.monotonic) != .allowed
    }
}
