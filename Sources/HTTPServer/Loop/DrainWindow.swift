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
