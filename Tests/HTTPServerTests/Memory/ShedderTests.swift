import Testing

@testable import HTTPServer

/// Which connections are closed, in which order and why, by figures alone: of a budget of 3200 bytes.
struct ShedderTests {
    private func candidate(
        _ identifier: UInt64, _ step: MemoryPressure.Step, since: UInt64 = 0, isOverShare: Bool = false, held: Int = 1,
        isRecent: Bool = false
    ) -> Shedder.Candidate {
        Shedder.Candidate(
            identifier: identifier, isOverShare: isOverShare, magnitude: held, step: step,
            begin: isRecent ? .connections : step, since: since)
    }

    private func shedder(using used: Int) -> Shedder {
        var shedder = Shedder()
        _ = shedder.observe(used, of: 3200)
        return shedder
    }

    /// The reason to close it while so many bytes are used.
    private func reason(
        _ candidate: Shedder.Candidate, using used: Int, isOverShare: Bool = false, isUnchanged: Bool = true,
        isSurplus: Bool = false
    ) -> ServerEvent? {
        shedder(using: used).reason(
            toClose: candidate, used: used, of: 3200, isOverShare: isOverShare, isUnchanged: isUnchanged,
            isSurplus: isSurplus)
    }

    @Test func `those over their share go first, then large holders, steps and age`() {
        let found = [
            candidate(1, .idle, since: 3), candidate(2, .idle, since: 2), candidate(3, .silent, since: 9),
            candidate(4, .stalled, held: 5), candidate(5, .idle, isOverShare: true),
            candidate(6, .silent, since: 1, isRecent: true),
        ]
        var order = Shedder.Order(found, foundAt: 7)
        var identifiers: [UInt64] = []
        while let next = order.next {
            identifiers.append(next.identifier)
            order.removeFirst()
        }
        #expect(identifiers == [5, 4, 3, 2, 1, 6])
    }

    @Test func `stalled connections of an address go before silent, used and recent ones`() {
        let ranks = [
            candidate(1, .stalled), candidate(2, .silent), candidate(3, .idle), candidate(4, .stalled, isRecent: true),
        ].map(\.addressRank)
        #expect(ranks == [0, 1, 2, 3])
    }

    @Test func `a connection is closed while the step that closes it is taken`() {
        #expect(reason(candidate(1, .silent), using: 1999) == nil)
        #expect(reason(candidate(1, .silent), using: 2000) == .silentConnectionShed)
        #expect(reason(candidate(1, .idle), using: 2199) == nil)
        #expect(reason(candidate(1, .idle), using: 2200) == .idleConnectionShed)
        #expect(reason(candidate(1, .idle, isRecent: true), using: 3000) == nil)
        #expect(reason(candidate(1, .idle, isRecent: true), using: 3100) == .idleConnectionShed)
    }

    @Test func `a connection that did something meanwhile stays`() {
        #expect(reason(candidate(1, .silent), using: 3100, isUnchanged: false) == nil)
        #expect(reason(candidate(1, .connections), using: 3100) == nil)
    }

    @Test func `an address over its share is interrupted after all others`() {
        let waits = candidate(1, .connections, isOverShare: true)
        #expect(reason(waits, using: 2699, isOverShare: true) == nil)
        #expect(reason(waits, using: 2700, isOverShare: true) == .connectionOverShare)
        #expect(
            reason(candidate(1, .idle, isOverShare: true), using: 1700, isOverShare: true) == .connectionOverShare)
        #expect(reason(candidate(1, .idle, isOverShare: true), using: 1700) == nil)
    }

    @Test func `a place is taken from idle and from old stalled connections`() {
        #expect(reason(candidate(1, .idle), using: 0, isSurplus: true) == .idleConnectionShed)
        #expect(reason(candidate(1, .stalled), using: 0, isSurplus: true) == .stalledConnectionShed)
        #expect(reason(candidate(1, .stalled, isRecent: true), using: 0, isSurplus: true) == nil)
    }

    @Test func `an order is kept for 50 ms, unless it is used up`() {
        var shedder = Shedder()
        #expect(!shedder.goesOn(at: 0))
        shedder.order = Shedder.Order([candidate(1, .idle)], foundAt: 10)
        #expect(shedder.goesOn(at: 9 + Shedder.longestOrder))
        #expect(!shedder.goesOn(at: 10 + Shedder.longestOrder))
        shedder.order.removeFirst()
        #expect(!shedder.goesOn(at: 10))
    }

    @Test func `a sweep is due after bytes or time, never without events`() {
        var sweep = MemorySweep()
        sweep.take(MemoryLimits(total: 3200), loops: 2)
        #expect(!sweep.isDue(at: .max - 1))
        sweep.expect(at: 5)
        sweep.expect(at: 500)
        #expect(!sweep.isDue(at: 4 + MemorySweep.pause))
        #expect(sweep.isDue(at: 5 + MemorySweep.pause))
        sweep.made(at: 5 + MemorySweep.pause, goesOn: false)
        sweep.sent(99)
        #expect(!sweep.isDue(at: 6 + MemorySweep.pause))
        sweep.sent(1)
        #expect(sweep.isDue(at: 0))
    }
}
