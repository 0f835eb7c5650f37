/// How a loop drains.
extension EventLoop {
    func beginDrain() {
        guard ending.drain == nil else { return }
        ending.drain = DrainWindow(beganAt: time.monotonic, deadline: time.monotonic + settings.drainTimeout)
        leaveInheritedListeners()
        for listener in listeners.sockets { listener.refuseNewConnections() }
        for connection in table.all {
            connection.drain(on: self)
        }
    }

    /// Connections that wait at a socket that outlives this process are left to the next process.
    private func leaveInheritedListeners() {
        guard listeners.sockets.contains(where: \.isInherited) else { return }
        unwatchListeners()
        listeners.sockets.removeAll(where: \.isInherited)
        // The poller knows listeners by their place in the list.
        if listeners.acceptsAgainAt == nil { acceptAgain() }
    }

    /// Goes on accepting the connections that the kernel has established; then releases the address, and ends when no
    /// connection is left or the time is up.
    func advance(_ drain: DrainWindow) {
        let isAccepting = listeners.acceptsAgainAt == nil
        let waiting = listeners.sockets.filter { !isAccepting || !accept(from: $0) }
        if drain.handshakesAreDone(at: time.monotonic), waiting.isEmpty { listeners.sockets = [] }
        if drain.isOver(at: time.monotonic, connections: table.count, listeners: listeners.sockets.count) {
            ending.isStopped = true
        }
    }
}

/// Whether a loop ends.
struct LoopEnding {
    var drain: DrainWindow?
    var isStopped = false
}

/// How long a drain lasts.
struct DrainWindow {
    /// A handshake that had begun when the drain did is done by then.
    static let handshakeGrace: UInt64 = 200_000_000

    let beganAt: UInt64
    let deadline: UInt64

    func handshakesAreDone(at now: UInt64) -> Bool { now >= beganAt + DrainWindow.handshakeGrace }

    func isOver(at now: UInt64, connections: Int, listeners: Int) -> Bool {
        now >= deadline || (connections == 0 && listeners == 0)
    }
}
