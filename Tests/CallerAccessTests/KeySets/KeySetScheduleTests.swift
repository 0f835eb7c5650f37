import CallerAccess
import Testing

@Suite struct KeySetScheduleTests {
    @Test func `the first fetch begins at once, and no second one in parallel`() {
        let schedule = Schedule(keep: 86_400, at: 100)
        #expect(schedule.nextStep == 100)
        #expect(schedule.beginsFetch(at: 100))
        #expect(!schedule.beginsFetch(at: 200))
        #expect(schedule.nextStep == nil)
    }

    @Test(
        arguments: [
            (nil, 900), (3600, 3600), (1, 60), (0, 60), (-5, 60), (3601, 3600), (86_400, 3600), (1_000_000, 3600),
        ] as [(Int64?, Int64)])
    func `keys are fetched again after the provider's max age, within bounds`(age: Int64?, pause: Int64) {
        let schedule = Schedule(keep: 86_400, at: 0)
        #expect(schedule.beginsFetch(at: 0))
        schedule.succeeded(at: 10, age: age)
        #expect(schedule.nextStep == 10 + pause)
        #expect(!schedule.beginsFetch(at: 10 + pause - 1))
        #expect(schedule.beginsFetch(at: 10 + pause))
    }

    @Test func `an expected change makes the next fetch due at once`() {
        let schedule = Schedule(keep: 86_400, at: 0)
        #expect(schedule.beginsFetch(at: 0))
        schedule.succeeded(at: 1, age: nil)
        schedule.expectChange(at: 5)
        #expect(schedule.nextStep == 5)
        #expect(schedule.beginsFetch(at: 5))
        schedule.failed(at: 6)
        #expect(schedule.nextStep == 7)
    }

    @Test func `a change during a fetch makes another one due, once`() {
        let schedule = Schedule(keep: 86_400, at: 0)
        #expect(schedule.beginsFetch(at: 0))
        schedule.expectChange(at: 1)
        #expect(!schedule.beginsFetch(at: 1))
        schedule.succeeded(at: 2, age: nil)
        #expect(schedule.beginsFetch(at: 2))
        schedule.expectChange(at: 3)
        schedule.failed(at: 4)
        #expect(schedule.beginsFetch(at: 4))
        schedule.succeeded(at: 5, age: nil)
        #expect(schedule.nextStep == 905)
    }

    @Test func `repeated failures double the pause, up to a minute`() {
        let schedule = Schedule(keep: 86_400, at: 0)
        var now: Int64 = 0
        for pause: Int64 in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            #expect(schedule.beginsFetch(at: now))
            schedule.failed(at: now)
            #expect(schedule.nextStep == now + pause)
            now += pause
        }
        #expect(schedule.beginsFetch(at: now))
        schedule.succeeded(at: now, age: 60)
        #expect(schedule.beginsFetch(at: now + 60))
        schedule.failed(at: now + 60)
        #expect(schedule.nextStep == now + 61)
    }

    @Test func `the last good keys serve during an outage and expire once`() {
        let schedule = Schedule(keep: 100, at: 0)
        #expect(schedule.beginsFetch(at: 0))
        schedule.succeeded(at: 0, age: nil)
        var now: Int64 = 0
        while now < 99 {
            now = max(now + 1, schedule.nextStep ?? now)
            if schedule.beginsFetch(at: now) { schedule.failed(at: now) }
            #expect(schedule.endsKeys(at: now) == (now >= 100))
        }
        #expect(!schedule.endsKeys(at: now))
        #expect(schedule.nextStep.map { $0 > now } == true)
    }

    @Test func `an unknown key causes a fetch at most every 30 seconds`() {
        let schedule = Schedule(keep: 86_400, at: 0)
        #expect(schedule.beginsFetch(at: 0))
        #expect(schedule.unknownKey(at: 0) == .wait)
        schedule.succeeded(at: 1, age: 3600)
        #expect(schedule.unknownKey(at: 2) == .fetch)
        #expect(schedule.unknownKey(at: 2) == .wait)
        schedule.succeeded(at: 3, age: 3600)
        for now: Int64 in 3..<32 { #expect(schedule.unknownKey(at: now) == .refuse) }
        #expect(schedule.unknownKey(at: 32) == .fetch)
    }

    @Test func `a failed fetch for an unknown key keeps the pause`() {
        let schedule = Schedule(keep: 86_400, at: 0)
        #expect(schedule.beginsFetch(at: 0))
        schedule.succeeded(at: 0, age: 3600)
        #expect(schedule.unknownKey(at: 10) == .fetch)
        schedule.failed(at: 11)
        #expect(schedule.unknownKey(at: 11) == .refuse)
        #expect(schedule.beginsFetch(at: 12))
    }
}

/// A schedule as a class, so that an expectation can call what changes it.
private final class Schedule {
    private var value: KeySetSchedule

    init(keep: Int64, at now: Int64) { value = KeySetSchedule(keep: keep, at: now) }

    var nextStep: Int64? { value.nextStep }
    func beginsFetch(at now: Int64) -> Bool { value.beginsFetch(at: now) }
    func unknownKey(at now: Int64) -> KeySetSchedule.UnknownKey { value.unknownKey(at: now) }
    func endsKeys(at now: Int64) -> Bool { value.endsKeys(at: now) }
    func succeeded(at now: Int64, age: Int64?) { value.succeeded(at: now, age: age) }
    func expectChange(at now: Int64) { value.expectChange(at: now) }
    func failed(at now: Int64) { value.failed(at: now) }
}
