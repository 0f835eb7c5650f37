/// What a loop does before the budget of memory is spent, or the last place of a connection taken: it closes
/// connections by the steps of `MemoryPressure`, each as far as it needs, so that other clients are still answered.
extension EventLoop {
    /// Nanoseconds between two looks for connections to close, where the last one found too few.
    private static let pause: UInt64 = 5_000_000
    /// Nanoseconds for which connections are closed in a turn: a step may be for a thousand of them, and those that go on
    /// would wait meanwhile.
    private static let closingAtOnce: UInt64 = 1_000_000
    /// Nanoseconds for which the order is kept in which connections are closed: to find it takes as long as to close a
    /// hundred of them, and with a full table a few have to go in every turn.
    private static let longestOrder: UInt64 = 50_000_000
    /// Connections that are read before they are closed where there is no time to wait for their turn.
    private static let urgentReads = 64

    /// Whether there is anything to do.
    var isPressed: Bool { budget.isHalfUsed || pressure.step != nil || isCrowded || closesMore }

    /// Closes what has to be closed for now.
    func relieve() {
        let isWorse = observePressure()
        guard isWorse || time.monotonic >= relievesAt else { return }
        let goesOn = shedding.next != nil && !isWorse && time.monotonic < shedding.foundAt + EventLoop.longestOrder
        (isCrowded, closesMore) = (false, false)
        var round = SheddingRound(
            surplus: limiter.surplus, isLate: goesOn, end: ServerTime.monotonicNow() + EventLoop.closingAtOnce)
        guard pressure.step != nil || round.surplusStep != nil else { return }
        if pressure.step == .connections || round.surplus.lastStep > .silent { round.reads = EventLoop.urgentReads }
        if !goesOn { shedding = candidates(upTo: round.surplusStep) }
        closeCandidates(&round)
        observePressure()
        // New connections are refused only if this is not enough: those that have done something since may hold memory that
        // can be freed.
        if pressure.step == .connections, round.isLate, shedding.next == nil {
            shedding = candidates(upTo: round.surplusStep)
            closeCandidates(&round)
            observePressure()
        }
        // The next turn goes on.
        isCrowded = closesMore && round.surplusStep != nil
        let isDoneSoon = closesMore || (pressure.step == nil && round.closed > 0)
        relievesAt = time.monotonic + (isDoneSoon ? 0 : EventLoop.pause)
    }

    /// Closes connections of addresses that have taken their last places: the next to connect from there may be another client.
    func relieveAddresses() {
        guard time.monotonic >= relievesAddressesAt else { return }
        let began = ServerTime.monotonicNow()
        let crowded = crowdedCandidates()
        let end = ServerTime.monotonicNow() + EventLoop.closingAtOnce
        var isDone = true
        for (address, candidates) in crowded {
            // Each loop closes its part of them.
            let surplus = limiter.surplus(of: address)
            let most = max(surplus / loopCount + 1, min(crowdedPlaces, surplus))
            if !closeUnused(candidates.prefix(most), until: end) { isDone = false }
        }
        // Those for which there was no time are closed the next time.
        if isDone { (crowdedPlaces, crowdedAddresses) = (0, []) }
        // Half of the time is for other things, unless that would be long, as if the thread had to wait for a processor.
        let now = ServerTime.monotonicNow()
        relievesAddressesAt = now + min(now - began, EventLoop.pause)
    }

    /// The connections that may be closed for each address that has taken its last places, in this order: those of clients
    /// that do not read, those that have asked for nothing, and all others, the oldest first. What was opened or used a moment
    /// ago goes last.
    private func crowdedCandidates() -> [(address: IPAddress, candidates: [Candidate])] {
        let crowded = crowdedAddresses.compactMap { address in
            limiter.surplus(of: address) > 0
                ? limiter.account(of: address).map { (ObjectIdentifier($0), address) } : nil
        }
        guard !crowded.isEmpty else { return [] }
        let addresses = Dictionary(crowded) { first, _ in first }
        func address(of connection: Connection?) -> IPAddress? {
            connection?.account.flatMap { addresses[ObjectIdentifier($0)] }
        }
        let found = candidates { connection in
            guard address(of: connection) != nil, let step = connection.sheddingStep else { return nil }
            return (step, isOverShare: false)
        }
        let groups = Dictionary(grouping: found) { address(of: table[$0.identifier]) }
        return groups.compactMap { address, group in
            address.map { ($0, group.sorted { ($0.addressRank, $0.since) < ($1.addressRank, $1.since) }) }
        }
    }

    /// Tries at least one of them, and more while there is time. Returns false if time ran out.
    private func closeUnused(_ candidates: ArraySlice<Candidate>, until end: UInt64) -> Bool {
        var reads = EventLoop.urgentReads
        for (tried, candidate) in candidates.enumerated() {
            guard tried == 0 || ServerTime.monotonicNow() < end else { return false }
            guard let connection = table[candidate.identifier],
                connection.shed(candidate.step, isOverShare: false, reads: &reads, on: self)
            else { continue }
            statistics.count(candidate.step.event)
        }
        return true
    }

    /// Closes those that are next, as far as needed and as the time goes.
    private func closeCandidates(_ round: inout SheddingRound) {
        while let candidate = shedding.next {
            let isSurplus = round.surplusStep.map { candidate.step <= $0 } ?? false
            guard let connection = table[candidate.identifier],
                let event = reason(toClose: candidate, connection, isSurplus: isSurplus)
            else {
                shedding.removeFirst()
                continue
            }
            closesMore = round.tried > 0 && ServerTime.monotonicNow() >= round.end
            if closesMore { return }
            shedding.removeFirst()
            round.tried += 1
            let isOverShare = event == .connectionOverShare
            guard connection.shed(candidate.step, isOverShare: isOverShare, reads: &round.reads, on: self) else {
                round.isLate = true
                continue
            }
            round.surplus.connections -= 1
            round.closed += 1
            statistics.count(event)
        }
    }

    /// Closes a connection whose address holds more than its share, for which it would be closed next anyway; false if it
    /// does not.
    func closesOverShare(_ connection: Connection) -> Bool {
        guard connection.isOver(budget.share()) else { return false }
        statistics.count(.connectionOverShare)
        drop(connection)
        return true
    }

    /// Closes a connection, and drops what its peer has not taken.
    func drop(_ connection: Connection) {
        connection.descriptor.dropUntaken()
        close(connection)
    }

    /// Looks at what is used; whether a step is taken that was not before.
    @discardableResult
    private func observePressure() -> Bool {
        let isWorse = pressure.observe(budget.used, of: budget.limit)
        if isWorse, let step = pressure.step { tell(.memoryPressed(step.notice)) }
        return isWorse
    }

    /// The event to count for a candidate that is still to be closed; nil if it may stay.
    private func reason(toClose candidate: Candidate, _ connection: Connection, isSurplus: Bool) -> ServerEvent? {
        let (used, limit) = (budget.used, budget.limit)
        if candidate.isOverShare, connection.isOver(budget.share(spare: limit / 32)) {
            // One that waits for us goes only where those that wait for their peers were not enough.
            let waitsForPeer = candidate.step < .connections
            return waitsForPeer || used >= MemoryPressure.Step.stalled.end(of: limit) ? .connectionOverShare : nil
        }
        // One that did something since it was found is not what it was found to be; one that waits for us may stay now that
        // its address has its share.
        guard connection.stalledSince == candidate.since, candidate.step < .connections else { return nil }
        if isSurplus, candidate.step < .stalled || candidate.begin == .stalled { return candidate.step.event }
        guard let step = pressure.step, candidate.begin <= step else { return nil }
        return used >= candidate.begin.end(of: limit) ? candidate.step.event : nil
    }

    /// What is to be closed, in this order, as one look at all connections found it.
    struct SheddingOrder {
        private var candidates: [Candidate] = []
        /// How many of them are done with.
        private var passed = 0
        /// When they were found, on the monotonic clock.
        fileprivate private(set) var foundAt: UInt64 = 0

        init() {}

        fileprivate init(_ candidates: [Candidate], foundAt: UInt64) {
            (self.candidates, self.foundAt) = (candidates, foundAt)
        }

        fileprivate var next: Candidate? { passed < candidates.count ? candidates[passed] : nil }

        fileprivate mutating func removeFirst() {
            passed += 1
            if passed == candidates.count { (candidates, passed) = ([], 0) }
        }
    }

    /// What one turn closes.
    private struct SheddingRound {
        /// Connections for which there is hardly a place.
        var surplus: (connections: Int, lastStep: MemoryPressure.Step)
        /// Whether connections have changed since the order was found.
        var isLate: Bool
        /// When the turn has to end, on the monotonic clock.
        let end: UInt64
        /// How many more connections are read before they are closed.
        var reads = 0
        var tried = 0
        var closed = 0

        var surplusStep: MemoryPressure.Step? { surplus.connections > 0 ? surplus.lastStep : nil }
    }

    fileprivate struct Candidate {
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
    }

    /// All that may be closed to free memory, or by such a step to free places: first those of addresses over their
    /// share, then those of addresses that hold most, by steps and by age. A connection that was opened or used a moment
    /// ago goes last. One that waits for nothing but us is closed only where its address is over its share.
    private func candidates(upTo surplusStep: MemoryPressure.Step?) -> SheddingOrder {
        let (last, share) = (pressure.step ?? .shares, budget.share())
        var found = candidates { connection in
            let isOverShare = connection.isOver(share)
            let mayInterrupt = isOverShare && last >= .stalled
            guard let step = connection.sheddingStep ?? (mayInterrupt ? .connections : nil) else { return nil }
            let isDue = begin(step, of: connection) <= last || surplusStep.map({ step <= $0 }) ?? false
            return isOverShare || isDue ? (step, isOverShare) : nil
        }
        found.sort { one, other in
            if one.isOverShare != other.isOverShare { return one.isOverShare }
            if one.magnitude != other.magnitude { return one.magnitude > other.magnitude }
            return (one.begin.rawValue, one.step.rawValue, one.since)
                < (other.begin.rawValue, other.step.rawValue, other.since)
        }
        return SheddingOrder(found, foundAt: time.monotonic)
    }

    /// The connections for which `wanted` returns a step.
    private func candidates(
        _ wanted: (Connection) -> (step: MemoryPressure.Step, isOverShare: Bool)?
    ) -> [Candidate] {
        var found: [Candidate] = []
        table.forEach { connection in
            // One beyond a limit has a place of its own until its answer.
            guard !connection.machine.isOverLimit, let (step, isOverShare) = wanted(connection) else { return }
            let held = connection.account?.used ?? 0
            found.append(
                Candidate(
                    identifier: connection.identifier, isOverShare: isOverShare,
                    magnitude: Int.bitWidth - held.leadingZeroBitCount,
                    step: step, begin: begin(step, of: connection), since: connection.stalledSince))
        }
        return found
    }

    /// The step with which a connection begins to be closed: one that was opened or used a moment ago goes last.
    private func begin(_ step: MemoryPressure.Step, of connection: Connection) -> MemoryPressure.Step {
        connection.stalledSince + settings.timeouts.grace > time.monotonic ? .connections : step
    }
}

extension MemoryPressure.Step {
    /// What is counted for each connection, or stream, that it costs.
    var event: ServerEvent {
        switch self {
        case .shares: .connectionOverShare
        case .silent: .silentConnectionShed
        case .idle: .idleConnectionShed
        case .sessions: .sessionShed
        case .streams: .streamRefused
        case .stalled: .stalledConnectionShed
        case .connections: .connectionRefused
        }
    }

    /// What the log says.
    fileprivate var notice: String {
        switch self {
        case .shares: "limiting addresses to their share"
        case .silent: "closing connections without a request"
        case .idle: "closing idle connections"
        case .sessions: "ending idle HTTP/2 connections"
        case .streams: "refusing new HTTP/2 requests"
        case .stalled: "closing connections that make no progress"
        case .connections: "answering new connections with 503"
        }
    }
}
