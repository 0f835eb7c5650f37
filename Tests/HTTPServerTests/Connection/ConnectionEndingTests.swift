import Testing

@testable import HTTPServer

/// How a connection ends, event by event: slow readers, lingering, drains and limits.
struct ConnectionEndingTests {
    typealias Machine = ConnectionMachine
    typealias Place = ConnectionMachineTests.Place

    // MARK: Flushing

    @Test(arguments: [Machine.Progress.idle, .partial, .working, .more, .done(lingers: true)])
    func `an unsent answer is flushed before any other progress`(progress: Machine.Progress) {
        var machine = Place.idle.machine
        #expect(machine.settle(progress, isFlushed: false, at: 3) == .wait(.writable))
        #expect(machine.state == .flushing(then: progress))
        #expect(machine.deadline == 33)
        #expect(machine.flushed(all: false, at: 20) == .wait(.writable))
        #expect(machine.deadline == 33, "a peer that takes a part of it gets no more time")
        var other = Place.idle.machine
        #expect(machine.flushed(all: true, at: 21) == other.settle(progress, isFlushed: true, at: 21))
        let lingers = Machine.State.lingering(left: Machine.lingerBytes, takenBy: 33)
        #expect(machine.state == (progress == .done(lingers: true) ? lingers : other.state))
        #expect(progress == .more || machine.deadline == other.deadline || machine.state == .closed)
    }

    @Test func `a flushed last answer keeps the deadline of its flush`() {
        for isTaken in [true, false] {
            var machine = Place.idle.machine
            #expect(machine.settle(.done(lingers: false), isFlushed: false, at: 3) == .wait(.writable))
            #expect(machine.flushed(all: true, at: 21) == .finish)
            #expect(machine.finish(isTaken: isTaken, at: 21) == (isTaken ? .close : .linger))
            let lingers = Machine.State.lingering(left: Machine.lingerBytes, takenBy: 33)
            #expect(machine.state == (isTaken ? .closed : lingers))
        }
    }

    @Test(arguments: Place.allCases.filter { !$0.rawValue.hasPrefix("flushing") })
    func `a writable socket with nothing to write changes nothing`(place: Place) {
        var machine = place.machine
        #expect(machine.flushed(all: true, at: 3) == .wait(.readable))
        #expect(machine.state == place.machine.state)
    }

    @Test func `an answer finished while flushing is flushed with the earlier ones`() {
        var machine = Place.flushingBeforeWork.machine
        #expect(machine.settle(.more, isFlushed: false, at: 3) == .wait(.writable))
        #expect(machine.state == .flushing(then: .more))
        #expect(machine.flushed(all: true, at: 4) == .proceed)
    }

    // MARK: Lingering

    @Test func `bytes after the last answer are dropped up to 64 kB`() {
        var machine = Place.lingering.machine
        #expect(machine.dropped(65_535) == .wait(.readable))
        #expect(machine.state == .lingering(left: 1, takenBy: 30))
        #expect(machine.dropped(1) == .wait(.readable))
        #expect(machine.deadline == 5)
        #expect(machine.dropped(1) == .close)
        #expect(machine.state == .closed)
    }

    @Test func `one byte too many ends lingering`() {
        var machine = Place.lingering.machine
        #expect(machine.dropped(Machine.lingerBytes + 1) == .close)
    }

    // MARK: Draining

    @Test func `a drain shortens an idle connection's deadline`() {
        var machine = Place.idle.machine
        machine.drain(at: 50)
        #expect(machine.isDraining)
        #expect(machine.deadline == 57)
    }

    @Test func `a drain shortens the deadline of an unannounced proxy connection`() {
        var machine = Place.unannounced.machine
        machine.drain(at: 1)
        #expect(machine.deadline == 8)
    }

    @Test func `a drain does not extend an idle connection's deadline`() {
        var machine = Place.idle.machine
        machine.drain(at: 99)
        #expect(machine.deadline == 100)
    }

    @Test(
        arguments: Place.allCases.filter {
            ![.unannounced, .handshaking, .handshakingOnTheLoop, .idle, .receiving, .leaving, .closed].contains($0)
        })
    func `a drain keeps the deadline of a connection in progress`(place: Place) {
        var machine = place.machine
        machine.drain(at: 1)
        #expect(machine.isDraining)
        #expect(machine.state == place.machine.state)
        #expect(machine.deadline == place.machine.deadline)
    }

    @Test func `a drain shortens the deadline of a request that arrives`() {
        var machine = Place.receiving.machine
        machine.drain(at: 1)
        #expect(machine.deadline == 4)
        #expect(machine.deadlinePassed(at: 4, isTaken: true) == .timeOut)
    }

    @Test func `a drain shortens the deadline of a body that is dropped`() {
        var machine = Place.idle.machine
        #expect(machine.settle(.discarding, isFlushed: true, at: 0) == .wait(.readable))
        machine.drain(at: 1)
        #expect(machine.deadline == 4)
        #expect(machine.deadlinePassed(at: 4, isTaken: true) == .close)
    }

    @Test func `a request that begins in a drain has less time`() {
        var machine = Place.idle.machine
        machine.drain(at: 1)
        #expect(machine.settle(.partial, isFlushed: true, at: 2) == .wait(.readable))
        #expect(machine.deadline == 5)
    }

    @Test func `a connection that becomes idle in a drain gets the drain timeout`() {
        var machine = Place.flushing.machine
        machine.drain(at: 1)
        #expect(machine.flushed(all: true, at: 2) == .wait(.readable))
        #expect(machine.deadline == 9)
    }

    // MARK: Limits

    @Test(arguments: [Place.unannounced, .idle])
    func `a connection beyond the limits has its own deadline`(place: Place) {
        var machine = place.machine
        machine.exceedLimit(at: 1)
        #expect(machine.isOverLimit)
        #expect(machine.isUnheard)
        #expect(machine.deadline == 5)
        #expect(machine.deadlinePassed(at: 5, isTaken: true) == .close)
    }

    @Test(arguments: [Machine.Progress.idle, .partial])
    func `beyond the limits no partial progress extends the deadline`(progress: Machine.Progress) {
        var machine = Place.unannounced.machine
        machine.exceedLimit(at: 1)
        #expect(machine.settle(progress, isFlushed: true, at: 3) == .wait(.readable))
        #expect(machine.isUnheard)
        #expect(machine.deadline == 5)
    }

    @Test func `beyond the limits a drain does not extend the deadline`() {
        var machine = Place.idle.machine
        machine.exceedLimit(at: 1)
        machine.drain(at: 2)
        #expect(machine.deadline == 5)
    }

    @Test(arguments: Place.allCases)
    func `a connection awaits its first request until it is complete`(place: Place) {
        #expect(
            place.machine.isUnheard
                == [.unannounced, .handshaking, .handshakingOnTheLoop, .idle, .receiving].contains(place))
    }
}
