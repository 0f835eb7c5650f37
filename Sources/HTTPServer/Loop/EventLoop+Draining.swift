/// How a loop ends once it is told to.
extension EventLoop {
    func beginDrain() {
        guard drain == nil else { return }
        drain = DrainWindow(beganAt: time.monotonic, deadline: time.monotonic + settings.drainTimeout)
        for listener in listeners { listener.refuseNewConnections() }
        for connection in table.all {
            connection.drain(on: self)
        }
    }

    /// Goes on accepting what had been promised; then lets go of the address, and ends once nobody is left or the time
    /// is up.
    func advance(_ drain: DrainWindow) {
        let isAccepting = acceptsAgainAt == nil
        let waiting = listeners.filter { !isAccepting || !accept(from: $0) }
        if drain.handshakesAreDone(at: time.monotonic), waiting.isEmpty { listeners = [] }
        if drain.isOver(at: time.monotonic, connections: table.count, listeners: listeners.count) { isStopped = true }
    }
}
