import Testing

@testable import HTTPServer

/// A connection's states, event by event, without a socket and under a clock that the test sets.
struct ConnectionMachineTests {
    typealias Machine = ConnectionMachine

    static let timeouts = ConnectionTimeouts(
        head: 10, idle: 100, write: 30, linger: 5, drainIdle: 7, drainHead: 3, overLimit: 4)

    /// Each state by name, and how a machine reaches it at time 0.
    enum Place: String, CaseIterable, Sendable {
        case unannounced, handshaking, handshakingOnTheLoop, idle, receiving, answering, flushing, flushingBeforeWork,
            flushingTheLast, lingering, leaving, closed

        var machine: Machine {
            var machine = Machine(timeouts: timeouts, at: 0)
            switch self {
            case .unannounced: machine = Machine(timeouts: timeouts, at: 0, isAnnounced: false)
            case .handshaking: machine = Machine(timeouts: timeouts, at: 0, isSecure: true)
            case .handshakingOnTheLoop:
                machine = Machine(timeouts: timeouts, at: 0, isSecure: true)
                _ = machine.handshakeWaits(for: .nothing)
            case .idle: break
            case .receiving: _ = machine.settle(.partial, isFlushed: true, at: 0)
            case .answering: _ = machine.settle(.working, isFlushed: true, at: 0)
            case .flushing: _ = machine.settle(.idle, isFlushed: false, at: 0)
            case .flushingBeforeWork: _ = machine.settle(.working, isFlushed: false, at: 0)
            case .flushingTheLast: _ = machine.settle(.done(lingers: true), isFlushed: false, at: 0)
            case .lingering: _ = machine.settle(.done(lingers: true), isFlushed: true, at: 0)
            case .leaving: _ = machine.peerEnded(at: 0, isTaken: false)
            case .closed: _ = machine.peerEnded(at: 0, isTaken: true)
            }
            return machine
        }
    }

    private static let lingers = Machine.State.lingering(left: Machine.lingerBytes, takenBy: 30)

    private static let begun: [(Place, Machine.State, UInt64)] = [
        (.unannounced, .unannounced, 10), (.handshaking, .handshaking(.readable), 10),
        (.handshakingOnTheLoop, .handshaking(.nothing), 10), (.idle, .idle, 100),
        (.receiving, .receiving, 10),
        (.answering, .answering, .max),
        (.flushing, .flushing(then: .idle), 30), (.flushingBeforeWork, .flushing(then: .working), 30),
        (.flushingTheLast, .flushing(then: .done(lingers: true)), 30), (.lingering, lingers, 5),
        (.leaving, .leaving, 30),
    ]

    @Test(arguments: begun)
    func `each state has its own deadline`(place: Place, state: Machine.State, deadline: UInt64) {
        #expect(place.machine.state == state)
        #expect(place.machine.deadline == deadline)
    }

    @Test(arguments: Place.allCases)
    func `bytes are read between requests, within a request and while lingering`(place: Place) {
        #expect(place.machine.reads == [.unannounced, .handshaking, .idle, .receiving, .lingering].contains(place))
    }

    // MARK: Progress

    @Test(arguments: [Place.unannounced, .idle, .receiving, .answering])
    func `a connection is idle after all requests are answered`(place: Place) {
        var machine = place.machine
        #expect(machine.settle(.idle, isFlushed: true, at: 3) == .wait(.readable))
        #expect(machine.state == .idle)
        #expect(machine.deadline == 28)
        #expect(machine.deadlinePassed(at: 28, isTaken: true) == .wait(.readable))
        #expect(machine.deadline == 103)
        #expect(machine.since == 3)
        #expect(machine.deadlinePassed(at: 103, isTaken: true) == .close)
    }

    @Test func `an idle connection whose peer takes no answers is closed earlier`() {
        var machine = Place.answering.machine
        #expect(machine.settle(.idle, isFlushed: true, at: 3) == .wait(.readable))
        for now in UInt64(28)..<32 {
            #expect(machine.deadlinePassed(at: now, isTaken: false) == .wait(.readable))
            #expect(machine.deadline == now + 1)
        }
        #expect(machine.deadlinePassed(at: 32, isTaken: false) == .close)
    }

    @Test func `what was sent a moment before a look ends no idle session`() {
        var machine = Place.idle.machine
        #expect(machine.settle(.streams(.idle), isFlushed: true, at: 3) == .wait(.readable))
        #expect(machine.deadlinePassed(at: 28, isTaken: false) == .wait(.readable))
        #expect(machine.deadlinePassed(at: 29, isTaken: true) == .wait(.readable))
        #expect(machine.deadline == 103)
        #expect(machine.deadlinePassed(at: 103, isTaken: false) == .timeOut)
    }

    @Test func `a session between streams ends earlier if its answers are not taken`() {
        for isTaken in [true, false] {
            var machine = Place.idle.machine
            #expect(machine.settle(.streams(.idle), isFlushed: true, at: 3) == .wait(.readable))
            #expect(machine.deadlinePassed(at: 32, isTaken: isTaken) == (isTaken ? .wait(.readable) : .close))
            guard isTaken else { continue }
            #expect(machine.deadline == 103)
            #expect(machine.deadlinePassed(at: 103, isTaken: true) == .timeOut)
        }
    }

    @Test(arguments: [Place.idle, .answering])
    func `a partial request's deadline starts at its first byte`(place: Place) {
        var machine = place.machine
        #expect(machine.settle(.partial, isFlushed: true, at: 3) == .wait(.readable))
        #expect(machine.state == .receiving && machine.since == 3)
        #expect(machine.deadline == 13)
    }

    @Test func `more bytes of a request do not extend its deadline`() {
        var machine = Place.receiving.machine
        for now in UInt64(1)...9 {
            #expect(machine.settle(.partial, isFlushed: true, at: now) == .wait(.readable))
            #expect(machine.deadline == 10)
        }
        #expect(machine.deadlinePassed(at: 10, isTaken: true) == .timeOut)
    }

    @Test func `a partial request after a complete one has its own deadline`() {
        var machine = Place.receiving.machine
        machine.requestBegan()
        #expect(machine.settle(.partial, isFlushed: true, at: 9) == .wait(.readable))
        #expect(machine.deadline == 19)
    }

    @Test(arguments: Place.allCases)
    func `a complete request ends only the receiving state`(place: Place) {
        var machine = place.machine
        machine.requestBegan()
        #expect(machine.state == (place == .receiving ? .idle : place.machine.state))
        #expect(machine.deadline == place.machine.deadline)
    }

    @Test(arguments: [Place.idle, .receiving, .answering])
    func `an unfinished answer has no deadline`(place: Place) {
        var machine = place.machine
        #expect(machine.settle(.working, isFlushed: true, at: 3) == .wait(.readable))
        #expect(machine.state == .answering)
        #expect(machine.deadline == .max)
    }

    @Test func `remaining bytes are processed next`() {
        var machine = Place.answering.machine
        #expect(machine.settle(.more, isFlushed: true, at: 3) == .proceed)
        #expect(machine.state == .idle)
    }

    @Test func `after the last answer the connection closes`() {
        var machine = Place.idle.machine
        #expect(machine.settle(.done(lingers: false), isFlushed: true, at: 3) == .finish)
        #expect(machine.finish(isTaken: true, at: 3) == .close)
        #expect(machine.state == .closed)
        #expect(!machine.reads)
    }

    @Test func `the connection lingers if the last answer leaves bytes unread`() {
        var machine = Place.idle.machine
        #expect(machine.settle(.done(lingers: true), isFlushed: true, at: 3) == .linger)
        #expect(machine.state == .lingering(left: Machine.lingerBytes, takenBy: 33))
        #expect(machine.deadline == 8)
    }

    // MARK: End of the peer

    @Test(arguments: Place.allCases)
    func `a connection whose peer has ended is closed`(place: Place) {
        var machine = place.machine
        #expect(machine.peerEnded(at: 0, isTaken: true) == .close)
        #expect(machine.state == .closed)
    }

    @Test(arguments: Place.allCases)
    func `a connection whose ended peer has not taken all leaves later`(place: Place) {
        var machine = place.machine
        #expect(machine.peerEnded(at: 8, isTaken: false) == .linger)
        #expect(machine.state == .leaving && !machine.reads)
        // What began to be sent at 0 has its time since then.
        let end: UInt64 = place == .lingering || place.rawValue.hasPrefix("flushing") ? 30 : 38
        #expect(machine.deadline == end)
        #expect(machine.deadlinePassed(at: end, isTaken: false) == .close)
    }

    @Test func `a lingering connection leaves later if not all is taken`() {
        var machine = Place.lingering.machine
        #expect(machine.deadlinePassed(at: 5, isTaken: false) == .linger)
        #expect(machine.state == .leaving)
        #expect(machine.deadline == 30)
    }

    @Test func `the last answer has 30 s in all, however slowly taken`() {
        var machine = Place.flushingTheLast.machine
        #expect(machine.flushed(all: true, at: 29) == .linger)
        #expect(machine.deadline == 30)
        #expect(machine.deadlinePassed(at: 30, isTaken: false) == .linger)
        #expect(machine.deadlinePassed(at: 30, isTaken: false) == .close)
    }

    // MARK: Deadlines

    @Test(arguments: Place.allCases.filter { $0 != .closed })
    func `before its deadline a connection keeps waiting for the same event`(place: Place) {
        var machine = place.machine
        let interest: Interest =
            [.answering, .handshakingOnTheLoop].contains(place)
            ? .nothing : place == .leaving ? .end : place.rawValue.hasPrefix("flushing") ? .writable : .readable
        #expect(machine.deadlinePassed(at: place.machine.deadline - 1, isTaken: true) == .wait(interest))
        #expect(machine.state == place.machine.state)
        #expect(machine.deadline == place.machine.deadline)
    }

    @Test(
        arguments: [
            Place.unannounced, .handshaking, .handshakingOnTheLoop, .idle, .flushing, .flushingBeforeWork,
            .flushingTheLast, .lingering, .leaving,
        ],
        [UInt64(0), 1, 1_000_000])
    func `at its deadline a connection without a partial request closes silently`(place: Place, late: UInt64) {
        var machine = place.machine
        #expect(machine.deadlinePassed(at: place.machine.deadline + late, isTaken: true) == .close)
        #expect(machine.state == .closed)
    }

    @Test func `at its deadline a partial request is answered, then lingers`() {
        var machine = Place.receiving.machine
        #expect(machine.deadlinePassed(at: 10, isTaken: true) == .timeOut)
        #expect(machine.settle(.done(lingers: true), isFlushed: true, at: 10) == .linger)
        #expect(machine.deadline == 15)
        #expect(machine.deadlinePassed(at: 15, isTaken: true) == .close)
    }

    @Test func `an unfinished answer never times out`() {
        var machine = Place.answering.machine
        #expect(machine.deadlinePassed(at: .max - 1, isTaken: true) == .wait(.nothing))
        #expect(machine.state == .answering)
    }

    @Test func `a dropped body has one deadline and closes silently when late`() {
        var machine = Place.idle.machine
        #expect(machine.settle(.discarding, isFlushed: true, at: 100) == .wait(.readable))
        #expect(machine.state == .discarding)
        #expect(machine.reads)
        let deadline = machine.deadline
        #expect(deadline > 100)
        #expect(machine.settle(.discarding, isFlushed: true, at: deadline - 1) == .wait(.readable))
        #expect(machine.deadline == deadline)
        #expect(machine.deadlinePassed(at: deadline - 1, isTaken: true) == .wait(.readable))
        #expect(machine.deadlinePassed(at: deadline, isTaken: true) == .close)
    }

    @Test func `a request after a dropped body has its own deadline`() {
        var machine = Place.idle.machine
        _ = machine.settle(.discarding, isFlushed: true, at: 100)
        let deadline = machine.deadline
        machine.requestBegan()
        #expect(machine.settle(.partial, isFlushed: true, at: 105) == .wait(.readable))
        #expect(machine.deadline == deadline + 5)
    }

    // MARK: Minimum rates

    @Test func `an answer that is taken bit by bit has no more time`() {
        var machine = Place.flushing.machine
        for now in UInt64(1)...29 {
            #expect(machine.flushed(all: false, at: now) == .wait(.writable))
            #expect(machine.deadline == 30)
        }
        #expect(machine.deadlinePassed(at: 30, isTaken: true) == .close)
    }

    @Test func `answers after one that was taken have their own time`() {
        var machine = Machine(timeouts: Self.timeouts, at: 0)
        _ = machine.settle(.more, isFlushed: false, at: 0)
        #expect(machine.flushed(all: true, at: 29) == .proceed)
        _ = machine.settle(.idle, isFlushed: false, at: 29)
        #expect(machine.deadline == 59)
    }

    // MARK: Shedding

    @Test func `what a connection waits for says when it is shed`() {
        let expected: [Place: MemoryPressure.Step] = [
            .unannounced: .silent, .handshaking: .silent, .handshakingOnTheLoop: .silent, .idle: .silent,
            .receiving: .silent, .flushing: .stalled, .flushingBeforeWork: .stalled, .flushingTheLast: .stalled,
            .lingering: .stalled, .leaving: .stalled,
        ]
        for place in Place.allCases { #expect(place.machine.sheddingStep == expected[place], "\(place)") }
    }

    @Test func `after a request an idle connection is no longer silent`() {
        var machine = Place.idle.machine
        machine.requestBegan()
        #expect(machine.sheddingStep == .idle)
        #expect(machine.settle(.streams(.idle), isFlushed: true, at: 3) == .wait(.readable))
        #expect(machine.sheddingStep == .sessions)
    }

    @Test(arguments: [Place.unannounced, .handshaking, .idle, .receiving, .flushing, .lingering])
    func `the wait began when the state was entered`(place: Place) {
        #expect(place.machine.since == 0)
    }
}
