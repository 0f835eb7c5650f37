import CallerAccess
import HTTPServer

/// How often each address and each principal may ask, and how often either may fail. What a limiter is nil for is not
/// limited.
package final class RequestLimits: Sendable {
    /// What a limit counts.
    package enum Limit: String, CaseIterable {
        /// Requests of an address.
        case address
        /// Requests of a principal.
        case principal
        /// Failures of either.
        case failures
    }

    /// Of client addresses. A peer on this machine is not held to it: it is a proxy that all clients come by, unless it is
    /// trusted to tell them apart.
    package let addresses: RateLimiter?
    /// Of principals.
    let principals: RateLimiter?
    /// Of failures: proofs that do not hold, by address, and tokens that no rule allows, by principal.
    package let failures: RateLimiter?

    package init(addresses: RateLimiter?, principals: RateLimiter?, failures: RateLimiter?) {
        (self.addresses, self.principals, self.failures) = (addresses, principals, failures)
    }

    /// What keeps to a limit; nil if nothing is limited by it.
    package func limiter(of limit: Limit) -> RateLimiter? {
        switch limit {
        case .address: addresses
        case .principal: principals
        case .failures: failures
        }
    }

    /// Nobody is limited.
    package static let none = RequestLimits(addresses: nil, principals: nil, failures: nil)

    /// Counts a request of this address; why it is refused, if it is one too many.
    package func excess(of client: IPAddress?, at time: ServerTime) -> CallerRefusal? {
        guard let addresses, let key = RateLimitKey(client) else { return nil }
        return refusal(addresses.take(key, at: time.monotonic), .address, "its address asks too often")
    }

    /// Counts a request of this principal; why it is refused, if it is one too many or too many were refused.
    package func excess(of principal: Principal, at time: ServerTime) -> CallerRefusal? {
        guard let principals, let key = principal.limitKey else { return nil }
        return refusal(principals.take(key, at: time.monotonic), .principal, "the principal asks too often", principal)
    }

    /// Why nothing of this address is verified for the moment; what was found right before still counts, so it is left
    /// open.
    func excessiveFailures(of client: IPAddress?, at time: ServerTime) -> CallerRefusal? {
        guard let failures, let key = RateLimitKey(client) else { return nil }
        return refusal(
            failures.check(key, at: time.monotonic), .failures, "its address has failed to prove itself too often",
            leavesOpen: true)
    }

    /// Why nothing is decided for this principal for the moment.
    func excessiveFailures(of principal: Principal, at time: ServerTime) -> CallerRefusal? {
        guard let failures, let key = principal.limitKey else { return nil }
        return refusal(
            failures.check(key, at: time.monotonic), .failures, "the principal was refused too often", principal)
    }

    /// Counts a failure of whoever a back end is to be asked about, until it has answered: who failed lately has no more
    /// questions open than may fail. The refusal, if that is one too many; nil is returned for who has not.
    func holdFailure(
        of principal: Principal?, from client: IPAddress?, at time: ServerTime
    ) throws(CallerRefusal) -> HeldFailure? {
        let key = principal?.limitKey ?? RateLimitKey(client)
        guard let failures, let key, !failures.isFull(key, at: time.monotonic) else { return nil }
        let reason = "as many questions about it are open as may fail"
        if let refusal = refusal(failures.take(key, at: time.monotonic), .failures, reason, principal) { throw refusal }
        return HeldFailure(failures, key)
    }

    /// Counts a refusal as a failure of whoever it was.
    package func count(_ refusal: CallerRefusal, from client: IPAddress?, at time: ServerTime) {
        guard let failures else { return }
        let key: RateLimitKey? =
            switch refusal.problem {
            case .invalidCredentials: RateLimitKey(client)
            // Who shows nothing costs nothing, unless a back end had to say so.
            case .unauthenticated where !refusal.leavesOpen: RateLimitKey(client)
            case .notAllowed, .strangerNotAllowed: refusal.principal?.limitKey ?? RateLimitKey(client)
            default: nil
            }
        if let key { failures.take(key, at: time.monotonic) }
    }

    private func refusal(
        _ verdict: RateLimiter.Verdict, _ limit: Limit, _ reason: String, _ principal: Principal? = nil,
        leavesOpen: Bool = false
    ) -> CallerRefusal? {
        guard case .exceeded(let seconds) = verdict else { return nil }
        return CallerRefusal(
            .limited(retryAfter: seconds), reason, principal, by: limit, leavesOpen: leavesOpen)
    }
}

/// A failure that is counted until it is known whether it is one.
struct HeldFailure: Sendable {
    private let failures: RateLimiter
    private let key: RateLimitKey

    fileprivate init(_ failures: RateLimiter, _ key: RateLimitKey) { (self.failures, self.key) = (failures, key) }

    /// Counts it no longer.
    func giveBack() { failures.giveBack(key) }
}

extension RateLimitKey {
    /// A client that is told apart from others.
    fileprivate init?(_ client: IPAddress?) {
        guard let client else { return nil }
        self = client.withSubscriberBytes { RateLimitKey(address: $0) }
    }
}
