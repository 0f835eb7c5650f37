/// Active and waiting requests: first come, first served, except for hosts at their limit and senders with more active
/// requests than others.
struct RequestQueue: Sendable {
    private struct Host {
        var active = 0
        var senders: [UInt64?: Sender] = [:]

        /// The request that is next: the oldest of those whose senders have the fewest active ones.
        var first: Ticket? {
            let firsts = senders.values.lazy.compactMap { sender in sender.waiting.first.map { (sender.active, $0) } }
            return firsts.min { ($0.0, $0.1.number) < ($1.0, $1.1.number) }?.1
        }

        /// Forgets a sender without requests.
        mutating func forgetIfIdle(_ key: UInt64?) {
            if let sender = senders[key], sender.active == 0, sender.waiting.isEmpty { senders[key] = nil }
        }
    }

    /// For whom requests are sent.
    private struct Sender {
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
    private var active = 0
    private var waiting = 0
    private(set) var isClosed = false
    /// No waiting request has an earlier deadline.
    private(set) var earliestDeadline: ContinuousClock.Instant?

    init(_ settings: HTTPClientSettings) { self.settings = settings }

    /// Queues a request, or returns why not.
    mutating func add(_ request: PendingRequest) -> HTTPClientError.Cause? {
        guard waiting < settings.maxWaiting else { return .busy(waiting: waiting) }
        return goOn(request)
    }

    /// Queues a redirected request, whatever the number of waiting ones, or returns why not.
    mutating func goOn(_ request: PendingRequest) -> HTTPClientError.Cause? {
        guard !isClosed else { return .shutDown }
        hosts[request.url.endpoint, default: Host()].senders[request.request.sender, default: Sender()].waiting
            .append(Ticket(number: arrivals, request: request))
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
