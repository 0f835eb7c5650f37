/// Active and waiting requests: senders take turns, those with fewer active requests first, except for hosts at their limit;
/// those of one sender start in the order of arrival. When the queue is full, senders with the most waiting requests give up
/// places for those with fewer.
struct RequestQueue: Sendable {
    private struct Host {
        var active = 0
        var senders: [UInt64?: Sender] = [:]

        /// The request that is next: of the senders with the fewest active ones, that of the one whose turn it is.
        var first: Ticket? {
            let firsts = senders.values.lazy.compactMap { sender in sender.waiting.first.map { (sender, $0) } }
            return firsts.min { one, other in
                (one.0.active, one.0.turn, one.1.number) < (other.0.active, other.0.turn, other.1.number)
            }?.1
        }

        /// Forgets a sender without requests.
        mutating func forgetIfIdle(_ key: UInt64?) {
            if let sender = senders[key], sender.active == 0, sender.waiting.isEmpty { senders[key] = nil }
        }
    }

    /// For whom requests are sent.
    private struct Sender {
        /// How many requests had started when its last one did, or when it came.
        var turn: Int
        var active = 0
        var waiting: [Ticket] = []
    }

    /// A waiting request with its number in the order of arrival.
    private struct Ticket {
        let number: Int
        let request: PendingRequest
    }

    private let settings: HTTPClientSettings
    private var hosts: [String: Host] = [:]
    private var arrivals = 0
    private var starts = 0
    private var active = 0
    private var waiting = 0
    private(set) var isClosed = false
    /// No waiting request has an earlier deadline.
    private(set) var earliestDeadline: ContinuousClock.Instant?

    init(_ settings: HTTPClientSettings) { self.settings = settings }

    /// Queues a request; returns the one that has no place, this or another, and why.
    mutating func add(_ request: PendingRequest) -> (request: PendingRequest, cause: HTTPClientError.Cause)? {
        if let refusal = goOn(request) { return (request, refusal) }
        guard waiting > settings.maxWaiting else { return nil }
        return (freePlace(for: request), .busy(waiting: settings.maxWaiting))
    }

    /// Queues a redirected request, whatever the number of waiting ones, or returns why not.
    mutating func goOn(_ request: PendingRequest) -> HTTPClientError.Cause? {
        guard !isClosed else { return .shutDown }
        hosts[request.url.endpoint, default: Host()].senders[request.request.sender, default: Sender(turn: starts)]
            .waiting.append(Ticket(number: arrivals, request: request))
        arrivals += 1
        waiting += 1
        earliestDeadline = min(earliestDeadline ?? request.deadline, request.deadline)
        return nil
    }

    /// Removes the next request to start and counts it as active.
    mutating func begin() -> PendingRequest? {
        guard active < settings.maxActive, let (endpoint, sender) = firstReady else { return nil }
        hosts[endpoint]?.active += 1
        hosts[endpoint]?.senders[sender]?.active += 1
        starts += 1
        hosts[endpoint]?.senders[sender]?.turn = starts
        active += 1
        waiting -= 1
        return hosts[endpoint]?.senders[sender]?.waiting.removeFirst().request
    }

    /// An active request has ended.
    mutating func end(_ request: PendingRequest) {
        active -= 1
        hosts[request.url.endpoint]?.active -= 1
        hosts[request.url.endpoint]?.senders[request.request.sender]?.active -= 1
        hosts[request.url.endpoint]?.forgetIfIdle(request.request.sender)
        forgetIfIdle(request.url.endpoint)
    }

    /// Removes the waiting requests whose deadline has passed.
    mutating func expire(at now: ContinuousClock.Instant) -> [PendingRequest] {
        guard let earliest = earliestDeadline, earliest <= now else { return [] }
        defer { earliestDeadline = tickets.map(\.request.deadline).min() }
        return takeWaiting { $0.deadline <= now }
    }

    /// Refuses new requests.
    mutating func close() { isClosed = true }

    /// Removes all waiting requests.
    mutating func clear() -> [PendingRequest] { takeWaiting { _ in true } }

    /// Removes the latest request of the sender that has the most, or this one if no sender has more than its own.
    private mutating func freePlace(for request: PendingRequest) -> PendingRequest {
        var (endpoint, sender) = (request.url.endpoint, request.request.sender)
        let count = hosts[endpoint]?.senders[sender]?.waiting.count ?? 0
        if let fullest, fullest.count > count { (endpoint, sender) = (fullest.endpoint, fullest.sender) }
        let removed = hosts[endpoint]?.senders[sender]?.waiting.popLast()
        waiting -= removed == nil ? 0 : 1
        hosts[endpoint]?.forgetIfIdle(sender)
        forgetIfIdle(endpoint)
        return removed?.request ?? request
    }

    /// Who has the most waiting requests.
    private var fullest: (endpoint: String, sender: UInt64?, count: Int)? {
        let all = hosts.lazy.flatMap { endpoint, host in
            host.senders.lazy.map { (endpoint: endpoint, sender: $0.key, count: $0.value.waiting.count) }
        }
        return all.max { $0.count < $1.count }
    }

    private var tickets: some Sequence<Ticket> {
        hosts.values.lazy.flatMap { $0.senders.values.lazy.flatMap(\.waiting) }
    }

    /// The endpoint with the oldest next request, among those below their limit, and who sends it.
    private var firstReady: (endpoint: String, sender: UInt64?)? {
        let ready = hosts.lazy.filter { $0.value.active < settings.maxActivePerHost }
        let firsts = ready.compactMap { host in host.value.first.map { (host.key, $0) } }
        return firsts.min { $0.1.number < $1.1.number }.map { ($0.0, $0.1.request.request.sender) }
    }

    private mutating func takeWaiting(_ isWanted: (PendingRequest) -> Bool) -> [PendingRequest] {
        var taken: [PendingRequest] = []
        for (endpoint, host) in hosts {
            for (key, sender) in host.senders {
                taken += sender.waiting.map(\.request).filter(isWanted)
                hosts[endpoint]?.senders[key]?.waiting.removeAll { isWanted($0.request) }
                hosts[endpoint]?.forgetIfIdle(key)
            }
            forgetIfIdle(endpoint)
        }
        waiting -= taken.count
        return taken
    }

    private mutating func forgetIfIdle(_ endpoint: String) {
        if let host = hosts[endpoint], host.senders.isEmpty { hosts[endpoint] = nil }
    }
}
