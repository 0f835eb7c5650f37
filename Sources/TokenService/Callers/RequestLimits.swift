import CallerAccess
import HTTPServer
import Logging
import Synchronization

/// Limits the requests of each address and each principal, and the failures of either. A nil limiter limits nothing.
package final class RequestLimits: Sendable {
    /// The kinds of limits.
    package enum Limit: String, CaseIterable {
        /// Requests of an address.
        case address
        /// Requests of a principal.
        case principal
        /// Failures of either.
        case failures
    }

    /// Of client addresses, except a peer on this machine: unless it is a trusted proxy, it may send the requests of all
    /// clients.
    package let addresses: RateLimiter?
    /// Of principals.
    let principals: RateLimiter?
    /// Of failures: invalid credentials, by address, and tokens that no rule allows, by principal.
    package let failures: RateLimiter?

    package init(addresses: RateLimiter?, principals: RateLimiter?, failures: RateLimiter?) {
        (self.addresses, self.principals, self.failures) = (addresses, principals, failures)
    }

    /// Nil if the limit is off.
    package func limiter(of limit: Limit) -> RateLimiter? {
        switch limit {
        case .address: addresses
        case .principal: principals
        case .failures: failures
        }
    }

    /// No limits.
    package static let none = RequestLimits(addresses: nil, principals: nil, failures: nil)

    /// Counts a request of this address; a refusal if it is one too many.
    package func excess(of client: IPAddress?, at time: ServerTime) -> CallerRefusal? {
        guard let addresses, let key = RateLimitKey(client) else { return nil }
    /// What a caller is counted by: the principal, or else the address; nil without both.
    static func key(of principal: Principal?, from client: IPAddress?) -> RateLimitKey? {
        principal?.limitKey ?? RateLimitKey(client)
    }

        return refusal(addresses.take(key, at: time.monotonic), .address, "too many requests from its address")
    }

    /// Counts a request of this principal; a refusal if it is one too many.
    package func excess(of principal: Principal, at time: ServerTime) -> CallerRefusal? {
        guard let principals, let key = principal.limitKey else { return nil }
        return refusal(
            principals.take(key, at: time.monotonic), .principal, "too many requests of the principal", principal)
    }

    /// A refusal while no credentials from this address are verified. It is undecided, since it says nothing about the
    /// credentials.
    func excessiveFailures(of client: IPAddress?, at time: ServerTime) -> CallerRefusal? {
        guard let failures, let key = RateLimitKey(client) else { return nil }
        return refusal(
            failures.check(key, at: time.monotonic), .failures, "too many failed authentications from its address",
            isUndecided: true)
    }

    /// A refusal while this principal has too many failures.
    func excessiveFailures(of principal: Principal, at time: ServerTime) -> CallerRefusal? {
        guard let failures, let key = principal.limitKey else { return nil }
        return refusal(
            failures.check(key, at: time.monotonic), .failures, "too many refused requests of the principal", principal)
    }

    /// Counts a failure in advance, until the back end has decided: a caller with recent failures cannot have more decisions
    /// pending than failures left. Throws if that is one too many; nil for a caller without recent failures.
    func reserveFailure(
        of principal: Principal?, from client: IPAddress?, at time: ServerTime
    ) throws(CallerRefusal) -> FailureReservation? {
        let key = principal?.limitKey ?? RateLimitKey(client)
        guard let failures, let key, !failures.isFull(key, at: time.monotonic) else { return nil }
        let reason = "too many pending decisions of the back end after recent failures"
        if let refusal = refusal(failures.take(key, at: time.monotonic), .failures, reason, principal) { throw refusal }
        return FailureReservation(failures, key)
    }

    /// Counts a refusal as a failure of its principal or address.
    package func count(_ refusal: CallerRefusal, from client: IPAddress?, at time: ServerTime) {
        guard let failures else { return }
        let key: RateLimitKey? =
            switch refusal.problem {
            case .invalidCredentials: RateLimitKey(client)
            // A request without credentials costs nothing, unless a back end decided it.
            case .unauthenticated where !refusal.isUndecided: RateLimitKey(client)
            case .notAllowed, .notAllowedWithoutCredentials: refusal.principal?.limitKey ?? RateLimitKey(client)
            default: nil
            }
        if let key { failures.take(key, at: time.monotonic) }
    }

    private func refusal(
        _ verdict: RateLimiter.Verdict, _ limit: Limit, _ reason: String, _ principal: Principal? = nil,
        isUndecided: Bool = false
    ) -> CallerRefusal? {
        guard case .exceeded(let seconds) = verdict else { return nil }
        return CallerRefusal(
            .limited(retryAfter: seconds), reason, principal, by: limit, isUndecided: isUndecided)
    }
}

/// A failure that was counted in advance.
struct FailureReservation: Sendable {
    private let failures: RateLimiter
    private let key: RateLimitKey

    fileprivate init(_ failures: RateLimiter, _ key: RateLimitKey) { (self.failures, self.key) = (failures, key) }

    /// Uncounts it.
    func cancel() { failures.giveBack(key) }
}

extension RateLimitKey {
    /// Nil for a client without an address.
    fileprivate init?(_ client: IPAddress?) {
        guard let client else { return nil }
        self = client.withSubscriberBytes { RateLimitKey(address: $0) }
    }
}

/// Finds a client's address: that of the peer, or the one that trusted proxies name.
package struct ClientAddresses: Sendable {
    /// Nil if no proxies are trusted.
    let forwarded: ForwardedAddress?

    /// Nil on a unix socket.
    func client(of request: borrowing HTTPRequest) -> IPAddress? {
        forwarded.map { $0.client(of: request) } ?? request.peer
    }

    /// The same address if limits count it. Nil for a peer on this machine that is not a trusted proxy: all clients may come
    /// through it.
    func counted(_ client: IPAddress?, of request: borrowing HTTPRequest) -> IPAddress? {
        guard let client, client.isLoopback, client == request.peer else { return client }
        if let forwarded, forwarded.trusts(peerOf: request) { return client }
        return nil
    }
}

/// Warns once when a request from this machine is refused that no address limit counts: the peer may be a proxy, and then
/// its clients are not limited by address.
package final class UncountedPeerWarning: Sendable {
    private let logger: Logger
    private let hasWarned = Atomic(false)

    init(logger: Logger) { self.logger = logger }

    func warn(of peer: IPAddress) {
        guard !hasWarned.load(ordering: .relaxed), !hasWarned.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            "refused a request of a peer on this machine, which address limits do not count; a proxy must be in proxies.trusted",
            metadata: ["peer": "\(peer)"])
    }
}
