import Testing

@testable import HTTPServer
@testable import HTTPServerSupport

struct DeadlineWheelTests {
    private static let tick: UInt64 = 1 << 27

    private func tick(_ number: UInt64) -> UInt64 { number * Self.tick }

    @Test func `an entry fires after its deadline and not before`() {
        var wheel = DeadlineWheel(now: tick(10))
        let slot = wheel.insert(1, deadline: tick(13) + 5)
        #expect(slot == 14)
        #expect(wheel.advance(to: tick(13) + 5).isEmpty)
        #expect(wheel.advance(to: tick(14) - 1).isEmpty)
        #expect(wheel.advance(to: tick(14)) == [.init(identifier: 1, tick: 14)])
        #expect(wheel.advance(to: tick(500)).isEmpty)
        #expect(wheel.count == 0)
    }

    @Test(arguments: UInt64(1)...5)
    func `random deadlines fire once, never early, at most one slot late`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var now = UInt64.random(in: 0...tick(1000), using: &generator)
        var wheel = DeadlineWheel(now: now)
        var due: [UInt64: UInt64] = [:]
        for identifier in UInt64(0)..<500 {
            let deadline = now + .random(in: 0...tick(500), using: &generator)
            due[identifier] = deadline
            #expect(wheel.insert(identifier, deadline: deadline) > deadline >> 27)
            let before = now
            now += .random(in: 0...tick(3), using: &generator)
            for entry in wheel.advance(to: now) {
                guard let deadline = due.removeValue(forKey: entry.identifier) else {
                    Issue.record("\(entry) fired twice")
                    continue
                }
                #expect(deadline <= now)
                #expect(deadline + Self.tick >= before)
            }
        }
        #expect(wheel.count == due.count)
        #expect(Set(wheel.advance(to: now + tick(511)).map(\.identifier)) == Set(due.keys))
    }

    @Test func `entries of owners that have gone do not fire`() {
        var wheel = DeadlineWheel(now: tick(10))
        for identifier in UInt64(1)...100 { _ = wheel.insert(identifier, deadline: tick(10 + identifier)) }
        wheel.removeAll { $0.identifier % 10 != 0 }
        #expect(wheel.count == 10)
        #expect(wheel.wait(from: tick(10)) == Int32(11 * Self.tick / 1_000_000 + 1))
        #expect(wheel.advance(to: tick(200)).map(\.identifier) == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
        #expect(wheel.count == 0)
    }

    @Test func `an expired deadline fires with the next slot`() {
        var wheel = DeadlineWheel(now: tick(10))
        #expect(wheel.insert(1, deadline: 0) == 11)
        #expect(wheel.advance(to: tick(11)).map(\.identifier) == [1])
    }

    @Test(arguments: [UInt64(512), 513, 5000, 1 << 35])
    func `a deadline beyond the horizon fires at the horizon`(ahead: UInt64) {
        // Its owner inserts it again.
        var wheel = DeadlineWheel(now: tick(10))
        #expect(wheel.insert(1, deadline: tick(10 + ahead)) == 10 + 511)
        #expect(wheel.advance(to: tick(520)).isEmpty)
        #expect(wheel.advance(to: tick(521)) == [.init(identifier: 1, tick: 521)])
    }

    @Test(arguments: [UInt64(511), 512, 513, 1024, 1_000_000])
    func `a clock that jumps far ahead fires every entry once`(jump: UInt64) {
        var wheel = DeadlineWheel(now: tick(10))
        for identifier in UInt64(1)...511 { _ = wheel.insert(identifier, deadline: tick(10 + identifier) - 1) }
        #expect(wheel.count == 511)
        let due = wheel.advance(to: tick(10 + jump))
        #expect(Set(due.map(\.identifier)) == Set(1...511))
        #expect(due.count == 511)
        #expect(wheel.count == 0)
        #expect(wheel.insert(9, deadline: tick(12 + jump)) == 13 + jump)
    }

    @Test func `a clock that stops or goes back fires nothing`() {
        var wheel = DeadlineWheel(now: tick(10))
        _ = wheel.insert(1, deadline: tick(9))
        #expect(wheel.advance(to: tick(10)).isEmpty)
        #expect(wheel.advance(to: tick(3)).isEmpty)
        #expect(wheel.count == 1)
    }

    @Test func `a replaced entry is identified by its slot`() {
        var wheel = DeadlineWheel(now: 0)
        let late = wheel.insert(7, deadline: tick(50))
        let early = wheel.insert(7, deadline: tick(5))
        #expect(early < late)
        #expect(wheel.advance(to: tick(early)) == [.init(identifier: 7, tick: early)])
        #expect(wheel.advance(to: tick(late)) == [.init(identifier: 7, tick: late)])
    }

    @Test func `the wait ends at the next occupied slot, if any`() {
        var wheel = DeadlineWheel(now: tick(10))
        #expect(wheel.wait(from: tick(10)) == nil)
        let late = wheel.insert(1, deadline: tick(300))
        #expect(wheel.wait(from: tick(10)) == Int32((tick(late) - tick(10) + 999_999) / 1_000_000))
        let early = wheel.insert(2, deadline: tick(10) + 1)
        #expect(early == 11)
        #expect(wheel.wait(from: tick(10)) == 135)
        #expect(wheel.wait(from: tick(11) - 1_000_000) == 1)
        #expect(wheel.wait(from: tick(11) - 1) == 1)
        #expect(wheel.wait(from: tick(11)) == 0)
        #expect(wheel.wait(from: tick(99)) == 0)
        #expect(wheel.advance(to: tick(11)).map(\.identifier) == [2])
        #expect(wheel.wait(from: tick(late) - 5_000_000) == 5)
        #expect(wheel.advance(to: tick(late)).map(\.identifier) == [1])
        #expect(wheel.wait(from: tick(late)) == nil)
    }
}
