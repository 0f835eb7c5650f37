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
    /// Of failures: unknown keys and refusals of the back end, by address, and tokens that no rule allows, by principal.
    package let failures: RateLimiter?
    /// Verifies tokens of addresses where many fail.
    let verifications = VerificationLane()
    private let questions = QuestionLane()

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

    /// What a caller is counted by: the principal, or else the address; nil without both.
    static func key(of principal: Principal?, from client: IPAddress?) -> RateLimitKey? {
        principal?.limitKey ?? RateLimitKey(client)
    }

    /// Counts a request of this address; a refusal if it is one too many.
    package func excess(of client: IPAddress?, at time: ServerTime) -> CallerRefusal? {
        guard let addresses, let key = RateLimitKey(client) else { return nil }
        return refusal(addresses.take(key, at: time.monotonic), .address, Self.tooManyOfAddress)
    }

    /// Counts a request of this principal; a refusal if it is one too many.
    package func excess(of principal: Principal, at time: ServerTime) -> CallerRefusal? {
        guard let principals, let key = principal.limitKey else { return nil }
        return refusal(
            principals.take(key, at: time.monotonic), .principal, "too many requests of the principal", principal)
    }

    /// A refusal of credentials that are not valid, from an address with too many of those.
    func excessiveFailures(of client: IPAddress?, at time: ServerTime) -> CallerRefusal? {
        guard let failures, let key = RateLimitKey(client) else { return nil }
        return refusal(
            failures.check(key, at: time.monotonic), .failures, "too many failed authentications from its address")
    }

    /// A refusal while this principal has too many failures.
    func excessiveFailures(of principal: Principal, at time: ServerTime) -> CallerRefusal? {
        guard let failures, let key = principal.limitKey else { return nil }
        return refusal(
            failures.check(key, at: time.monotonic), .failures, "too many refused requests of the principal", principal)
    }

    /// Whether requests of this principal have a limit of their own; those of others are limited by address alone.
    private func counts(_ principal: Principal?) -> Bool { principals != nil && principal?.limitKey != nil }

    /// A request of an address with too many, whose caller has no limit of its own.
    private static let addressExcess = CallerRefusal(.limited(retryAfter: 1), tooManyOfAddress, by: .address)
    private static let tooManyOfAddress = "too many requests from its address"

    /// Throws for a request of an address with too many (`isExcessive`), unless its principal has a limit of its own.
    func requireLimit(of principal: Principal, isExcessive: Bool) throws(CallerRefusal) {
        if isExcessive, !counts(principal) { throw Self.addressExcess }
    }

    /// How a question to the back end is asked. Those of an address with too many requests (`isExcessive`) wait their turn
    /// unless their caller has a limit of its own. After recent failures one is counted in advance, until the back end has
    /// decided: no more decisions are pending than failures left. Throws if that is one too many of a principal; those of an
    /// address, which may be of several callers, then wait their turn.
    func admitQuestion(
        of principal: Principal?, from client: IPAddress?, isExcessive: Bool, at time: ServerTime
    ) throws(CallerRefusal) -> QuestionAdmission {
        let key = Self.key(of: principal, from: client)
        if isExcessive, !counts(principal), let address = RateLimitKey(client) {
            return .queued(questions, address, orElse: Self.addressExcess)
        }
        guard let failures, let key, !failures.isFull(key, at: time.monotonic) else { return .free }
        let verdict = failures.take(key, at: time.monotonic)
        guard let refusal = refusal(verdict, .failures, Self.pendingDecisions, principal) else {
            return .reserved(FailureReservation(failures, key))
        }
        guard principal?.limitKey == nil else { throw refusal }
        return .queued(questions, key, orElse: refusal)
    }

    private static let pendingDecisions = "too many pending decisions of the back end after recent failures"

    /// Counts a refusal as a failure of its principal or address. Tokens that are not valid only have others verified in
    /// turn: an expired token is not an attack, and many clients may share an address.
    package func count(
        _ refusal: CallerRefusal, from client: IPAddress?, isExcessive: Bool = false, at time: ServerTime
    ) {
        if refusal.isOfToken, refusal.problem == .invalidCredentials {
            // No address makes others wait by more requests than it may have.
            return verifications.countFailure(of: client, inAll: !isExcessive, at: time)
        }
        guard let failures else { return }
        let key: RateLimitKey? =
            switch refusal.problem {
            case .invalidCredentials: RateLimitKey(client)
            // A request without credentials costs nothing, unless a back end decided it.
            case .unauthenticated where !refusal.isUndecided: RateLimitKey(client)
            case .notAllowed, .notAllowedWithoutCredentials: Self.key(of: refusal.principal, from: client)
            default: nil
            }
        if let key { failures.take(key, at: time.monotonic) }
    }

    private func refusal(
        _ verdict: RateLimiter.Verdict, _ limit: Limit, _ reason: String, _ principal: Principal? = nil
    ) -> CallerRefusal? {
        guard case .exceeded(let seconds) = verdict else { return nil }
        return CallerRefusal(.limited(retryAfter: seconds), reason, principal, by: limit)
    }
}

/// How a question to the back end is asked.
enum QuestionAdmission: Sendable {
    /// At once.
    case free
    /// At once, with a failure counted in advance.
    case reserved(FailureReservation)
    /// In its turn, unless too many wait.
    case queued(QuestionLane, RateLimitKey, orElse: CallerRefusal)

    /// The back end has decided.
    func end() {
        if case .reserved(let reservation) = self { reservation.cancel() }
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
    init?(_ client: IPAddress?) {
        guard let client else { return nil }
        self = client.withSubscriberBytes { RateLimitKey(address: $0) }
    }
}

/// Finds a client's address: that of the peer, or the one that trusted proxies name.
package struct ClientAddresses: Sendable {
    /// Nil if no proxies are trusted.
    let forwarded: ForwardedAddress?
    /// Told what cannot be read; nil for tests.
    var unreadable: OneTimeWarning?

    /// Nil on a unix socket.
    func client(of request: borrowing HTTPRequest) -> IPAddress? {
        guard let forwarded else { return request.peer }
        return forwarded.client(of: request) { element in
            unreadable?.warn {
                $0.warning(
                    "a trusted proxy names no address that can be read, so its clients share one limit",
                    metadata: ["element": "\(Self.shown(element))"])
            }
        }
    }

    /// The same address if limits count it. Nil for a peer on this machine that is not a trusted proxy: all clients may come
    /// through it.
    func counted(_ client: IPAddress?, of request: borrowing HTTPRequest) -> IPAddress? {
        guard let client, client.isLoopback, client == request.peer else { return client }
        return isProxy(peerOf: request) ? client : nil
    }

    /// Whether the request comes from a trusted proxy.
    func isProxy(peerOf request: borrowing HTTPRequest) -> Bool {
        guard let forwarded else { return false }
        return forwarded.trusts(peerOf: request)
    }

    private static func shown(_ element: Span<UInt8>) -> String {
        let bytes = element.extracting(first: 64).withUnsafeBytes { Array($0) }
        return ReceivedValue.sentence(String(decoding: bytes, as: UTF8.self))
    }
}

/// Logs a warning at its first occasion only.
package final class OneTimeWarning: Sendable {
    private let logger: Logger
    private let hasWarned = Atomic(false)

    init(logger: Logger) { self.logger = logger }

    func warn(_ log: (Logger) -> Void) {
        guard !hasWarned.load(ordering: .relaxed), !hasWarned.exchange(true, ordering: .relaxed) else { return }
        log(logger)
    }
}
