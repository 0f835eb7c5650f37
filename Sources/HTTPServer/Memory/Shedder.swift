/// What a loop closes before the budget of memory is spent, or the last place of a connection taken, and when it looks at
/// what all hold: its state and its decisions. `EventLoop+Shedding` finds the candidates and closes them.
struct Shedder {
    /// Nanoseconds between two looks for connections to close, where the last one found too few.
    static let pause: UInt64 = 5_000_000
    /// Nanoseconds for which the order is kept in which connections are closed: to find it takes as long as to close a
    /// hundred of them, and with a full table a few have to go in every turn.
    static let longestOrder: UInt64 = 50_000_000

    /// The step that memory's shortage has reached.
    private(set) var pressure = MemoryPressure()
    /// Whether connections have come for which there is hardly a place.
    var isCrowded = false
    /// Whether more connections are to be closed than a turn has time for.
    var closesMore = false
    /// The connections that are closed next.
    var order = Order()
    /// When connections may be closed again to relieve either, on the monotonic clock.
    var relievesAt: UInt64 = 0
    /// Addresses that have taken their last places since they were looked at last, by as many connections.
    private(set) var crowdedAddresses: Set<IPAddress> = []
    private(set) var crowdedPlaces = 0
    /// When they may be looked at again.
    var relievesAddressesAt: UInt64 = 0
    var sweep = MemorySweep()

    var step: MemoryPressure.Step? { pressure.step }

    /// Whether something is short that more than the use of memory tells.
    var isActive: Bool { step != nil || isCrowded || closesMore }

    /// Looks at what is used; the step that is taken now and was not before.
    mutating func observe(_ used: Int, of limit: Int) -> MemoryPressure.Step? {
        pressure.observe(used, of: limit) ? step : nil
    }

    /// Whether the order that was found last is still good.
    func goesOn(at now: UInt64) -> Bool { order.next != nil && now < order.foundAt + Self.longestOrder }

    /// A connection has one of the last places of its address.
    mutating func crowd(_ address: IPAddress) {
        crowdedAddresses.insert(address)
        crowdedPlaces += 1
    }

    /// The addresses have places again.
    mutating func addressesRelieved() { (crowdedPlaces, crowdedAddresses) = (0, []) }

    /// The event to count for a candidate that is still to be closed; nil if it may stay. `isOverShare`: its address still
    /// holds too much. `isUnchanged`: it did nothing since it was found. `isSurplus`: a place is needed, too.
    func reason(
        toClose candidate: Candidate, used: Int, of limit: Int, isOverShare: Bool, isUnchanged: Bool, isSurplus: Bool
    ) -> ServerEvent? {
        if candidate.isOverShare, isOverShare {
            // One that waits for us goes only where those that wait for their peers were not enough.
            let waitsForPeer = candidate.step < .connections
            return waitsForPeer || used >= MemoryPressure.Step.stalled.end(of: limit) ? .connectionOverShare : nil
        }
        // One that waits for us may stay now that its address has its share.
        guard isUnchanged, candidate.step < .connections else { return nil }
        if isSurplus, candidate.step < .stalled || candidate.begin == .stalled { return candidate.step.event }
        guard let step, candidate.begin <= step else { return nil }
        return used >= candidate.begin.end(of: limit) ? candidate.step.event : nil
    }

    /// A connection that may be closed.
    struct Candidate {
        let identifier: UInt64
        let isOverShare: Bool
        /// What its address holds, as a power of two: those who hold most give way first.
        let magnitude: Int
        /// The step that closes it, and the one with which that begins.
        let step, begin: MemoryPressure.Step
        /// Since when its client does nothing.
        let since: UInt64

        /// Its place among the clients of one address.
        var addressRank: Int {
            let isRecent = begin == .connections
            return (isRecent ? 3 : 0) + (step == .stalled ? 0 : step == .silent ? 1 : 2)
        }

        /// Whether it is closed before another one: first those of addresses over their share, then those of addresses that
        /// hold most, by steps and by age.
        static func < (one: Candidate, other: Candidate) -> Bool {
            if one.isOverShare != other.isOverShare { return one.isOverShare }
            if one.magnitude != other.magnitude { return one.magnitude > other.magnitude }
            return (one.begin.rawValue, one.step.rawValue, one.since)
                < (other.begin.rawValue, other.step.rawValue, other.since)
        }
    }

    /// What is to be closed, in this order, as one look at all connections found it.
    struct Order {
        private var candidates: [Candidate] = []
        /// How many of them are done with.
        private var passed = 0
        /// When they were found, on the monotonic clock.
        private(set) var foundAt: UInt64 = 0

        init() {}

        init(_ candidates: [Candidate], foundAt: UInt64) {
            (self.candidates, self.foundAt) = (candidates.sorted(by: <), foundAt)
        }

        var next: Candidate? { passed < candidates.count ? candidates[passed] : nil }

        mutating func removeFirst() {
            passed += 1
            if passed == candidates.count { (candidates, passed) = ([], 0) }
        }
    }
}

/// When a loop looks after the memory of all its connections.
struct MemorySweep {
    /// Nanoseconds between two sweeps over connections that do something.
    static let pause: UInt64 = 1_000_000_000

    /// When the next one is due; never while nothing happens.
    private var dueAt = UInt64.max
    /// Bytes that were given to the kernel since the last one, and how many cause one: what queues may hold unseen, of all
    /// loops together, is a sixteenth of the budget.
    private var sent = 0
    private var mostSent = Int.max

    mutating func take(_ limits: MemoryLimits, loops: Int) { mostSent = limits.total / 16 / loops }

    mutating func sent(_ bytes: Int) { sent &+= bytes }

    func isDue(at now: UInt64) -> Bool { sent >= mostSent || now >= dueAt }

    /// Milliseconds that may pass before a look at whether one is due.
    var wait: Int32 { dueAt == .max ? .max : Int32(Self.pause / 1_000_000) }

    /// Something has happened that one may find.
    mutating func expect(at now: UInt64) {
        if dueAt == .max { dueAt = now + Self.pause }
    }

    /// One was made; `goesOn`: another one may find more.
    mutating func made(at now: UInt64, goesOn: Bool) { (sent, dueAt) = (0, goesOn ? now + Self.pause : .max) }
}
