import Concurrency

/// What a loop does before the budget of memory is spent, or the last place of a connection taken: it closes
/// connections by the steps of `MemoryPressure`, each as far as it needs, so that other clients are still answered.
extension EventLoop {
    /// Nanoseconds for which connections are closed in a turn: a step may be for a thousand of them, and those that go on
    /// would wait meanwhile.
    private static let closingAtOnce: UInt64 = 1_000_000
    /// Connections that are read before they are closed where there is no time to wait for their turn.
    private static let urgentReads = 64

    /// Whether there is anything to do.
    var isPressed: Bool { shared.budget.isHalfUsed || shedder.isActive }

    /// Closes what has to be closed for now.
    func relieve() {
        let isWorse = observePressure()
        guard isWorse || time.monotonic >= shedder.relievesAt else { return }
        let goesOn = !isWorse && shedder.goesOn(at: time.monotonic)
        (shedder.isCrowded, shedder.closesMore) = (false, false)
        var round = SheddingRound(
            surplus: shared.limiter.surplus, isLate: goesOn, end: MonotonicTime.now() + EventLoop.closingAtOnce)
        guard shedder.step != nil || round.surplusStep != nil else { return }
        if shedder.step == .connections || round.surplus.lastStep > .silent { round.reads = EventLoop.urgentReads }
        if !goesOn { shedder.order = candidates(upTo: round.surplusStep) }
        closeCandidates(&round)
        observePressure()
        // New connections are refused only if this is not enough: those that have done something since may hold memory that
        // can be freed.
        if shedder.step == .connections, round.isLate, shedder.order.next == nil {
            shedder.order = candidates(upTo: round.surplusStep)
            closeCandidates(&round)
            observePressure()
        }
        // The next turn goes on.
        shedder.isCrowded = shedder.closesMore && round.surplusStep != nil
        let isDoneSoon = shedder.closesMore || (shedder.step == nil && round.closed > 0)
        shedder.relievesAt = time.monotonic + (isDoneSoon ? 0 : Shedder.pause)
    }

    /// Closes connections of addresses that have taken their last places: the next to connect from there may be another client.
    func relieveAddresses() {
        guard time.monotonic >= shedder.relievesAddressesAt else { return }
        let began = MonotonicTime.now()
        let crowded = crowdedCandidates()
        let end = MonotonicTime.now() + EventLoop.closingAtOnce
        var isDone = true
        for (address, candidates) in crowded {
            // Each loop closes its part of them.
            let surplus = shared.limiter.surplus(of: address)
            let most = max(surplus / shared.loopCount + 1, min(shedder.crowdedPlaces, surplus))
            if !closeUnused(candidates.prefix(most), until: end) { isDone = false }
        }
        // Those for which there was no time are closed the next time.
        if isDone { shedder.addressesRelieved() }
        // Half of the time is for other things, unless that would be long, as if the thread had to wait for a processor.
        let now = MonotonicTime.now()
        shedder.relievesAddressesAt = now + min(now - began, Shedder.pause)
    }

    /// The connections that may be closed for each address that has taken its last places, in this order: those of clients
    /// that do not read, those that have asked for nothing, and all others, the oldest first. What was opened or used a moment
    /// ago goes last.
    private func crowdedCandidates() -> [(address: IPAddress, candidates: [Shedder.Candidate])] {
        let crowded = shedder.crowdedAddresses.compactMap { address in
            shared.limiter.surplus(of: address) > 0
                ? shared.limiter.account(of: address).map { (ObjectIdentifier($0), address) } : nil
        }
        guard !crowded.isEmpty else { return [] }
        let addresses = Dictionary(crowded) { first, _ in first }
        func address(of connection: Connection?) -> IPAddress? {
            connection?.account.flatMap { addresses[ObjectIdentifier($0)] }
        }
        let found = candidates { connection in
            guard address(of: connection) != nil, let step = connection.sheddingStep, !isNew(connection) else {
                return nil
            }
            return (step, isOverShare: false)
        }
        let groups = Dictionary(grouping: found) { address(of: table[$0.identifier]) }
        return groups.compactMap { address, group in
            address.map { ($0, group.sorted { ($0.addressRank, $0.since) < ($1.addressRank, $1.since) }) }
        }
    }

    /// Tries at least one of them, and more while there is time. Returns false if time ran out.
    private func closeUnused(_ candidates: ArraySlice<Shedder.Candidate>, until end: UInt64) -> Bool {
        var reads = EventLoop.urgentReads
        for (tried, candidate) in candidates.enumerated() {
            guard tried == 0 || MonotonicTime.now() < end else { return false }
            guard let connection = table[candidate.identifier],
                connection.shed(candidate.step, isOverShare: false, reads: &reads, on: self)
            else { continue }
            statistics.count(candidate.step.event)
        }
        return true
    }

    /// Closes those that are next, as far as needed and as the time goes.
    private func closeCandidates(_ round: inout SheddingRound) {
        while let candidate = shedder.order.next {
            guard let connection = table[candidate.identifier],
                let event = reason(toClose: candidate, connection, surplusStep: round.surplusStep)
            else {
                shedder.order.removeFirst()
                continue
            }
            shedder.closesMore = round.tried > 0 && MonotonicTime.now() >= round.end
            if shedder.closesMore { return }
            shedder.order.removeFirst()
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
        guard connection.isOver(shared.budget.share()) else { return false }
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
        guard let step = shedder.observe(shared.budget.used, of: shared.budget.limit) else { return false }
        tell(.memoryPressed(step.notice))
        return true
    }

    private func reason(
        toClose candidate: Shedder.Candidate, _ connection: Connection, surplusStep: MemoryPressure.Step?
    ) -> ServerEvent? {
        shedder.reason(
            toClose: candidate, used: shared.budget.used, of: shared.budget.limit,
            isOverShare: connection.isOver(shared.budget.share(margin: shared.budget.limit / 32)),
            isUnchanged: connection.stalledSince == candidate.since,
            isSurplus: isSurplus(candidate.step, connection, upTo: surplusStep))
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

    /// All that may be closed to free memory, or by such a step to free places, in order. A connection that was opened or used
    /// a moment ago goes last. One that waits for nothing but us is closed only where its address is over its share.
    private func candidates(upTo surplusStep: MemoryPressure.Step?) -> Shedder.Order {
        let (last, share) = (shedder.step ?? .shares, shared.budget.share())
        let found = candidates { connection in
            let isOverShare = connection.isOver(share)
            let mayInterrupt = isOverShare && last >= .stalled
            guard let step = connection.sheddingStep ?? (mayInterrupt ? .connections : nil) else { return nil }
            let isDue =
                begin(step, of: connection) <= last || isSurplus(step, connection, upTo: surplusStep)
            return isOverShare || isDue ? (step, isOverShare) : nil
        }
        return Shedder.Order(found, foundAt: time.monotonic)
    }

    /// The connections for which `wanted` returns a step.
    private func candidates(
        _ wanted: (Connection) -> (step: MemoryPressure.Step, isOverShare: Bool)?
    ) -> [Shedder.Candidate] {
        var found: [Shedder.Candidate] = []
        table.forEach { connection in
            // One beyond a limit has a place of its own until its answer.
            guard !connection.machine.isOverLimit, let (step, isOverShare) = wanted(connection) else { return }
            let held = connection.account?.used ?? 0
            found.append(
                Shedder.Candidate(
                    identifier: connection.identifier, isOverShare: isOverShare,
                    magnitude: Int.bitWidth - held.leadingZeroBitCount,
                    step: step, begin: begin(step, of: connection), since: connection.stalledSince))
        }
        return found
    }

    /// Whether a connection may be closed with this step to free its place alone.
    private func isSurplus(
        _ step: MemoryPressure.Step, _ connection: Connection, upTo last: MemoryPressure.Step?
    ) -> Bool {
        last.map { step <= $0 && !isNew(connection) } ?? false
    }

    /// Whether a connection was opened so short a time ago that its first request may be on the way.
    private func isNew(_ connection: Connection) -> Bool {
        connection.sheddingStep == .silent
            && connection.stalledSince + settings.timeouts.grace / 50 > time.monotonic
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
