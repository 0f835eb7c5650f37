import FleetEngineToken

/// The signatures in flight, who waits for them, and what is renewed when: the state of `RemoteMint`, without a clock.
struct RemoteFlights: Sendable {
    typealias Completion = @Sendable (Result<CachedToken, RemoteSigningError>) -> Void

    /// One signature, or a renewal and the request's attempt after it.
    private struct Flight {
        var urgency: SigningUrgency
        var waiting: [Completion] = []
    }

    /// What happens to a request.
    enum Admission {
        /// A signature is in flight.
        case wait
        case sign
        /// Too many wait.
        case refuse
    }

    /// What happens to a renewal.
    enum Departure {
        case sign
        /// A signature is in flight.
        case skip
        /// Too many are in flight.
        case postpone
    }

    /// What follows the end of a signature.
    enum Landing {
        case done([Completion])
        /// A renewal failed for which requests wait.
        case signAgain
    }

    /// So many renewals are in flight at most, so that requests rarely wait for them.
    static let maxRenewals = 256

    private let maxWaiting: Int
    private var flights: [RemoteOrder.ID: Flight] = [:]
    private(set) var waiting = 0
    private(set) var renewals = 0
    private var schedule: RefreshSchedule<RemoteOrder>
    private var isRenewing = false
    private var renewsAgain = false
    /// A renewal has failed since the last step of the timer, and none has succeeded after it.
    private var pauses = false

    init(maxWaiting: Int, planBytes: Int) {
        self.maxWaiting = maxWaiting
        schedule = RefreshSchedule(maxBytes: planBytes)
    }

    var count: Int { flights.count }
    var planned: Int { schedule.count }

    mutating func admit(_ order: RemoteOrder, _ completion: @escaping Completion) -> Admission {
        guard waiting < maxWaiting else { return .refuse }
        waiting += 1
        let isInFlight = flights[order.id] != nil
        flights[order.id, default: Flight(urgency: .request)].waiting.append(completion)
        return isInFlight ? .wait : .sign
    }

    mutating func depart(_ order: RemoteOrder) -> Departure {
        if flights[order.id] != nil { return .skip }
        guard renewals < Self.maxRenewals else { return .postpone }
        flights[order.id] = Flight(urgency: .refresh)
        renewals += 1
        return .sign
    }

    /// A signature has ended.
    mutating func land(_ order: RemoteOrder, succeeded: Bool) -> Landing {
        guard let flight = flights.removeValue(forKey: order.id) else { return .done([]) }
        if flight.urgency == .refresh {
            renewals -= 1
            pauses = !succeeded
            if !succeeded, !flight.waiting.isEmpty {
                flights[order.id] = Flight(urgency: .request, waiting: flight.waiting)
                return .signAgain
            }
        }
        waiting -= flight.waiting.count
        return .done(flight.waiting)
    }

    /// Whether a request waits for this signature, now.
    func isAwaited(_ order: RemoteOrder) -> Bool { flights[order.id]?.waiting.isEmpty == false }

    /// False if the plan exceeds the limit.
    @discardableResult
    mutating func plan(_ order: RemoteOrder, at second: Int64) -> Bool { schedule.insert(order, at: second) }

    /// Keeps what the closure returns of each planned order.
    mutating func replan(_ replacement: (RemoteOrder) -> RemoteOrder?) {
        for (second, orders) in schedule.takeAll() {
            for order in orders.compactMap(replacement) { schedule.insert(order, at: second) }
        }
    }
}

/// Renewals that are due: one thread at a time takes and starts them, so that signatures that end at once do not recurse.
extension RemoteFlights {
    /// A step of the timer, at which a failure is forgotten, and some outdated plans.
    mutating func step(at now: Int64, dropping isOutdated: (RemoteOrder, Int64) -> Bool) {
        pauses = false
        schedule.sweep(at: now, isOutdated)
    }

    /// Whether the caller takes what is due until `endRenewing` is true; otherwise another thread will.
    mutating func beginRenewing() -> Bool {
        renewsAgain = isRenewing
        defer { isRenewing = true }
        return !isRenewing
    }

    /// Nothing while renewals fail or too many are in flight.
    mutating func takeDue(at now: Int64) -> [RemoteOrder] {
        guard !pauses else { return [] }
        return schedule.takeDue(at: now, atMost: Self.maxRenewals - renewals)
    }

    mutating func endRenewing() -> Bool {
        defer { renewsAgain = false }
        if !renewsAgain { isRenewing = false }
        return !renewsAgain
    }
}
