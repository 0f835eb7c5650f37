import Concurrency

/// How connections come in, and when they do not.
extension EventLoop {
    private static let acceptPause: UInt64 = 100_000_000
    /// Nanoseconds for which connections are accepted: as long as reading takes in a turn of a server under attack, so
    /// that those of others do not wait behind the attackers' in the kernel's queue.
    private static let acceptingAtOnce: UInt64 = 1_000_000
    /// This loop's part of the last places of an address.
    private var lastPlaces: Int {
        max(1, ConnectionLimiter.lastPlaces(of: settings.maxConnectionsPerAddress) / shared.loopCount)
    }
    /// Connections that take their address's last places before others make way, and only one in a turn is accepted.
    private var crowdedAtOnce: Int { min(8, max(1, lastPlaces / 2)) }

    /// Has the kernel reset a connection whose peer takes nothing for as long as an answer may take, also if it asks for
    /// more meanwhile. Accepted sockets inherit it.
    func limitUntaken() {
        let time = Int32(clamping: settings.timeouts.write / 1_000_000)
        for listener in listeners.sockets { listener.descriptor.keepUntaken(milliseconds: time) }
    }

    func watchListeners() throws(SystemError) {
        for (index, listener) in listeners.sockets.enumerated() {
            let identifier = EventLoop.firstListenerIdentifier + UInt64(index)
            try poller.add(
                listener.descriptor.number, .readable, as: identifier, sharedWakesOne: listener.isShared)
        }
    }

    /// Accepts waiting connections, but not for so long that open ones have to wait: the poller reports the rest again.
    /// Returns whether none is left.
    @discardableResult
    func accept(from listener: ListeningSocket) -> Bool {
        do {
            let end = MonotonicTime.now() + EventLoop.acceptingAtOnce
            let (places, bytes) = (shared.limiter.freePlaces, shared.budget.free)
            // No client is refused while others still make way.
            if shedder.closesMore, places == 0 || bytes == 0 || shedder.step == .connections { return false }
            if shedder.crowdedPlaces >= lastPlaces { return false }
            let crowdedAtOnce = crowdedAtOnce
            // Half of what is free at most, and few of an address's last places, so that more is freed before all is taken; but
            // one in each turn, since those of other addresses wait behind it.
            repeat {
                guard let (number, peer) = try listener.accept() else { return true }
                statistics.count(.connectionAccepted)
                open(Descriptor(takingOwnershipOf: number), peer, as: listener.opening)
            } while listeners.acceptsAgainAt == nil && shedder.crowdedPlaces < crowdedAtOnce
                && MonotonicTime.now() < end
                && (places == 0 || shared.limiter.freePlaces > places / 2)
                && (bytes == 0 || shared.budget.free > bytes / 2)
        } catch {
            pauseAccepting(error)
        }
        return false
    }

    private func open(_ descriptor: consuming Descriptor, _ address: IPAddress?, as opening: ConnectionOpening) {
        let isProxy = address.map(settings.proxyProtocolFrom.contain) ?? false
        // A proxy's connections are its clients': each is counted once its client is known.
        let counted = isProxy ? nil : address
        guard !isOverMemory(counted) else {
            statistics.count(.connectionOverShare)
            return
        }
        var layers: ConnectionLayers?
        switch opening {
        case .plain: break
        case .plainOrPreface: if sessions != nil { layers = ConnectionLayers(nil) }
        case .secure(let make):
            guard let transport = make(descriptor.number) else {
                return pauseAccepting(.outOfMemory)
            }
            layers = ConnectionLayers(transport)
        }
        var machine = ConnectionMachine(
            timeouts: settings.timeouts, at: time.monotonic, isAnnounced: !isProxy,
            isSecure: layers?.transport != nil)
        if ending.drain != nil { machine.drain(at: time.monotonic) }
        let number = descriptor.number
        let peer = ConnectionPeer(address: address, countedAddress: counted)
        let connection = table.insert(descriptor, peer, machine, layers: layers)
        admit(connection)
        do {
            try poller.add(number, .readable, as: connection.identifier, by: connection.trigger)
            schedule(connection)
            // Its request may be here already: it need not wait for the poller, which reports all others before.
            if isPressed { queueReading(by: connection) }
        } catch {
            close(connection)
        }
    }

    /// Whether an address has more than its part of the memory while that is short.
    private func isOverMemory(_ address: IPAddress?) -> Bool {
        // As if more were used: an address must not take again at once what was just taken from it.
        shared.budget.isHalfUsed
            && shared.budget.isOverShare(shared.limiter.account(of: address), margin: shared.budget.limit / 16)
    }

    /// Counts a connection, and what it holds.
    private func admit(_ connection: Connection) {
        let (address, isRefused) = (connection.peer.countedAddress, shedder.step == .connections)
        // While places are short, an address with its part of them gets no more.
        let isFull = isRefused || shedder.isCrowded && shared.limiter.isOverShare(address)
        let admission = shared.limiter.opened(place(of: connection), from: address, isFull: isFull)
        connection.account = admission.account
        account(for: connection)
        if admission.isCrowded { shedder.isCrowded = true }
        note(admission, of: connection)
        if isRefused { statistics.count(.connectionRefused) }
        if !admission.isAdmitted { exceedLimit(connection) }
    }

    /// Counts a proxy's connection among those of the address for which it speaks.
    func count(_ connection: Connection, for source: IPAddress) {
        connection.peer = ConnectionPeer(address: source, countedAddress: source)
        let admission = shared.limiter.announced(place(of: connection), for: source)
        charge(connection, to: admission.account)
        note(admission, of: connection)
        let isOverShare = connection.isOver(shared.budget.share())
        if isOverShare { statistics.count(.connectionOverShare) }
        if isOverShare || !admission.isAdmitted { exceedLimit(connection) }
    }

    private func note(_ admission: ConnectionLimiter.Admission, of connection: Connection) {
        guard admission.isAddressCrowded, let address = connection.peer.countedAddress else { return }
        shedder.crowd(address.subscriber)
    }

    private func exceedLimit(_ connection: Connection) {
        statistics.count(.connectionBeyondLimit)
        connection.machine.exceedLimit(at: time.monotonic)
    }

    /// Closes a connection beyond the limits, to make way for another one. If its request has come by now, it is answered
    /// first, and the kernel keeps the answer for a second.
    func evict(_ identifier: UInt64) {
        let wasUnheard = table[identifier]?.machine.isUnheard ?? false
        table[identifier]?.readable(on: self)
        guard let connection = table[identifier] else { return }
        if connection.machine.isUnheard {
            statistics.count(.connectionEvicted)
            tell(.connectionsRefused)
        }
        guard wasUnheard else { return drop(connection) }
        connection.descriptor.keepUntaken(milliseconds: 1000)
        close(connection)
    }

    /// Reports to the operator, at most once a second.
    func tell(_ notice: ServerNotice) {
        if notices.server.take(at: time.monotonic) { application.notice(notice) }
    }

    /// Reports to the operator what a client did wrong, up to a quota for each kind: on the Internet some client always
    /// does.
    func tellOfClient(_ notice: ServerNotice) {
        let mayTell: Bool
        switch notice {
        case .handshakeFailed:
            statistics.count(.handshakeFailed)
            mayTell = notices.handshakes.take(at: time.monotonic)
        case .certificateRefused:
            statistics.count(.handshakeFailed)
            statistics.count(.certificateRefused)
            mayTell = notices.certificates.take(at: time.monotonic)
        case .proxyHeaderRefused:
            statistics.count(.proxyHeaderRefused)
            mayTell = notices.proxies.take(at: time.monotonic)
        default:
            statistics.count(.clientRefused)
            mayTell = notices.connections.take(at: time.monotonic)
        }
        if mayTell { application.notice(notice) }
    }

    /// Descriptors or memory ran out: waiting connections stay in the kernel's queue for a while.
    private func pauseAccepting(_ error: SystemError) {
        guard listeners.acceptsAgainAt == nil else { return }
        statistics.count(.acceptingPaused)
        tell(.acceptingPaused(error.description))
        listeners.acceptsAgainAt = time.monotonic + EventLoop.acceptPause
        unwatchListeners()
    }

    func unwatchListeners() {
        for listener in listeners.sockets { try? poller.remove(listener.descriptor.number) }
    }

    func acceptAgain() {
        listeners.acceptsAgainAt = nil
        do { try watchListeners() } catch { pauseAccepting(error) }
    }
}

/// Where a loop accepts connections.
struct LoopListeners {
    var sockets: [ListeningSocket]
    /// When accepting goes on after descriptors ran out.
    var acceptsAgainAt: UInt64?
}
