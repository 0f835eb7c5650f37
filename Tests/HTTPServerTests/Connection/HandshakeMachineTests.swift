import Testing

@testable import HTTPServer

/// A secure connection before its first request, event by event.
struct HandshakeMachineTests {
    typealias Machine = ConnectionMachine

    private func machine(isAnnounced: Bool = true) -> Machine {
        Machine(timeouts: ConnectionMachineTests.timeouts, at: 0, isAnnounced: isAnnounced, isSecure: true)
    }

    @Test(arguments: [Interest.readable, .writable, .nothing])
    func `a handshake's deadline does not depend on what it waits for`(interest: Interest) {
        var machine = machine()
        #expect(machine.handshakeWaits(for: interest) == .wait(interest))
        #expect(machine.state == .handshaking(interest))
        #expect(machine.handshakes)
        #expect(machine.deadline == 10)
        #expect(machine.deadlinePassed(at: 9, isTaken: true) == .wait(interest))
        #expect(machine.deadlinePassed(at: 10, isTaken: true) == .close)
    }

    @Test func `bytes are read unless the handshake waits for the loop`() {
        var machine = machine()
        #expect(machine.reads)
        _ = machine.handshakeWaits(for: .writable)
        #expect(machine.reads)
        _ = machine.handshakeWaits(for: .nothing)
        #expect(!machine.reads)
    }

    @Test func `after its handshake a connection has the idle deadline`() {
        var machine = machine()
        #expect(machine.handshakeDone(at: 7) == .wait(.readable))
        #expect(machine.state == .idle)
        #expect(machine.deadline == 32)
        #expect(!machine.handshakes)
    }

    @Test func `a proxy header and the handshake share one deadline`() {
        var machine = machine(isAnnounced: false)
        #expect(machine.state == .unannounced)
        #expect(machine.handshakeWaits(for: .readable) == .wait(.readable))
        #expect(machine.deadline == 10)
    }

    @Test func `a refused peer can read the reason before the close`() {
        var machine = machine()
        #expect(machine.settle(.done(lingers: true), isFlushed: true, at: 3) == .linger)
        #expect(machine.deadline == 8)
    }

    @Test func `a peer that disconnects during the handshake is closed`() {
        var machine = machine()
        #expect(machine.peerEnded(at: 0, isTaken: true) == .close)
    }

    @Test func `a drain and the limits only shorten a handshake's deadline`() {
        var drained = machine()
        drained.drain(at: 1)
        #expect(drained.deadline == 8)
        #expect(drained.handshakeDone(at: 2) == .wait(.readable))
        #expect(drained.deadline == 9)
        var excessive = machine()
        excessive.exceedLimit(at: 1)
        #expect(excessive.deadline == 5)
        #expect(excessive.isUnheard)
        #expect(excessive.handshakeDone(at: 4) == .wait(.readable))
        #expect(excessive.deadline == 5)
    }
}
