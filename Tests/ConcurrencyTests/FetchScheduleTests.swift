import Testing

@testable import Concurrency

/// The state machine, at times that the tests choose.
struct FetchScheduleTests {
    private static let hour = FetchSchedule.Freshness(renewal: .seconds(3600))

    private func schedule(
        longestPause: Duration = .seconds(60), demandPauses: ClosedRange<Duration> = .seconds(1)...(.seconds(60))
    ) -> FetchSchedule {
        FetchSchedule(longestPause: longestPause, demandPauses: demandPauses)
    }

    /// A schedule with a value that was fetched at zero.
    private func fetched(
        _ freshness: FetchSchedule.Freshness = hour,
        demandPauses: ClosedRange<Duration> = .seconds(1)...(.seconds(60))
    ) -> FetchSchedule {
        var schedule = schedule(demandPauses: demandPauses)
        #expect(schedule.startFetchIfDue(at: .zero) == true)
        schedule.succeeded(at: .zero, freshness)
        return schedule
    }

    @Test func `one fetch at a time, and others wait`() {
        var schedule = schedule()
        #expect(schedule.demand(at: .zero) == .fetch)
        #expect(schedule.demand(at: .zero) == .wait)
        #expect(schedule.startFetchIfDue(at: .zero) == false)
    }

    @Test func `a value is fetched again at its renewal and used until expiry`() {
        var schedule = fetched(.init(renewal: .seconds(300), end: .seconds(350)))
        #expect(schedule.startFetchIfDue(at: .milliseconds(299_999)) == false)
        #expect(schedule.startFetchIfDue(at: .seconds(300)) == true)
        #expect(schedule.isUsable(at: .milliseconds(349_999)))
        #expect(!schedule.isUsable(at: .seconds(350)))
        schedule.succeeded(at: .seconds(351), Self.hour)
        #expect(schedule.isUsable(at: .seconds(351)))
    }

    @Test func `a value without an end is used through failures`() {
        var schedule = fetched()
        #expect(schedule.startFetchIfDue(at: .seconds(3600)) == true)
        schedule.failed(at: .seconds(3600))
        #expect(schedule.isUsable(at: .seconds(1_000_000)))
        #expect(schedule.isPausing)
    }

    @Test(arguments: [
        (1.0, [1, 2, 4, 8, 16, 30, 30]), (0.0, [1, 1, 2, 4, 8, 15, 15]), (.infinity, [1, 2, 4]), (-5, [1, 1, 2]),
    ])
    func `after failures the pause doubles up to the longest`(jitter: Double, pauses: [Int]) {
        var (schedule, now) = (schedule(longestPause: .seconds(30)), Duration.zero)
        for pause in pauses {
            #expect(schedule.startFetchIfDue(at: now) == true)
            #expect(!schedule.isPausing)
            schedule.failed(at: now, jitter: jitter)
            #expect(schedule.isPausing)
            let early = now + .seconds(pause) - .milliseconds(1)
            #expect(schedule.startFetchIfDue(at: early) == false)
            #expect(schedule.demand(at: early) == .refuse(retryAfter: .milliseconds(1)))
            now += .seconds(pause)
        }
    }

    @Test func `a success ends the row of failures`() {
        var (schedule, now) = (schedule(), Duration.zero)
        for _ in 0..<6 {
            #expect(schedule.startFetchIfDue(at: now) == true)
            schedule.failed(at: now)
            now += .seconds(60)
        }
        #expect(schedule.startFetchIfDue(at: now) == true)
        schedule.succeeded(at: now, .init(renewal: .zero))
        #expect(schedule.startFetchIfDue(at: now) == true)
        schedule.failed(at: now)
        #expect(schedule.startFetchIfDue(at: now + .seconds(1)) == true)
    }

    @Test func `demands that bring nothing new pause for longer`() {
        var (schedule, now) = (fetched(), Duration.seconds(1))
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(schedule.demand(at: now) == .fetch)
            schedule.succeeded(at: now, Self.hour, isNew: false)
            #expect(schedule.demand(at: now) == .refuse(retryAfter: .seconds(pause)))
            now += .seconds(pause)
        }
    }

    @Test func `a demand that brings something new allows the next one soon`() {
        var schedule = fetched()
        for second in stride(from: 1, to: 60, by: 2) {
            #expect(schedule.demand(at: .seconds(second)) == .fetch)
            schedule.succeeded(at: .seconds(second), Self.hour)
        }
    }

    @Test func `demands at a fixed pace do not depend on what they bring`() {
        var schedule = fetched(demandPauses: .seconds(30)...(.seconds(30)))
        for start in [0, 30, 60] {
            #expect(schedule.demand(at: .seconds(start)) == .fetch)
            schedule.succeeded(at: .seconds(start), Self.hour, isNew: start == 30)
            #expect(schedule.demand(at: .seconds(start + 29)) == .refuse(retryAfter: .seconds(1)))
        }
    }

    @Test func `a refused value is dropped once in a pause`() {
        var schedule = fetched(demandPauses: .seconds(30)...(.seconds(30)))
        #expect(schedule.discard(at: .seconds(5)) == true)
        #expect(!schedule.isUsable(at: .seconds(5)))
        #expect(schedule.discard(at: .seconds(5)) == false)
        #expect(schedule.startFetchIfDue(at: .seconds(5)) == true)
        schedule.succeeded(at: .seconds(6), Self.hour)
        #expect(schedule.discard(at: .milliseconds(34_999)) == false)
        #expect(schedule.isUsable(at: .seconds(34)))
        #expect(schedule.discard(at: .seconds(35)) == true)
    }

    @Test func `a refused value waits for the pause after failures`() {
        var schedule = fetched(.init(renewal: .seconds(10)))
        #expect(schedule.startFetchIfDue(at: .seconds(10)) == true)
        schedule.failed(at: .seconds(10))
        #expect(schedule.discard(at: .seconds(10)) == true)
        #expect(schedule.startFetchIfDue(at: .milliseconds(10_999)) == false)
        #expect(schedule.startFetchIfDue(at: .seconds(11)) == true)
    }

    @Test func `the freshness of a value outlasts failed fetches`() throws {
        var schedule = schedule()
        #expect(schedule.freshness(at: .zero) == nil)
        schedule.succeeded(at: .seconds(10), .init(renewal: .seconds(600), end: .seconds(700)))
        schedule.failed(at: .seconds(20))
        let freshness = try #require(schedule.freshness(at: .seconds(30)))
        #expect(freshness == (.seconds(20), .seconds(580), .seconds(680)))
        #expect(try #require(schedule.freshness(at: .seconds(1000))) == (.seconds(990), .zero, .zero))
    }

    @Test func `the next step is a fetch or the value's end`() {
        var schedule = schedule()
        #expect(schedule.timeToNextStep(at: .zero) == .zero)
        schedule.succeeded(at: .zero, .init(renewal: .seconds(60), end: .seconds(90)))
        #expect(schedule.timeToNextStep(at: .seconds(10)) == .seconds(50))
        #expect(schedule.startFetchIfDue(at: .seconds(60)) == true)
        for _ in 0..<7 { schedule.failed(at: .seconds(60)) }
        #expect(schedule.timeToNextStep(at: .seconds(60)) == .seconds(30))
        #expect(schedule.timeToNextStep(at: .seconds(90)) == .seconds(30))
        #expect(schedule.timeToNextStep(at: .seconds(121)) == .zero)
    }

    @Test func `an expected change makes a fetch due at once, or after the pending one`() {
        var schedule = fetched()
        schedule.expectChange()
        #expect(schedule.timeToNextStep(at: .seconds(5)) == .zero)
        #expect(schedule.startFetchIfDue(at: .seconds(5)) == true)
        #expect(!schedule.mayHaveChanged)
        schedule.expectChange()
        #expect(schedule.startFetchIfDue(at: .seconds(6)) == false)
        schedule.failed(at: .seconds(7))
        #expect(schedule.startFetchIfDue(at: .seconds(7)) == true)
        schedule.succeeded(at: .seconds(8), Self.hour)
        #expect(schedule.startFetchIfDue(at: .seconds(8)) == false)
    }

    @Test func `a demand that interrupts waits for its own pause alone`() {
        let pause = Duration.seconds(30)
        var schedule = FetchSchedule(longestPause: .seconds(60), demandPauses: pause...pause, demandsInterrupt: true)
        #expect(schedule.startFetchIfDue(at: .zero) == true)
        schedule.failed(at: .zero)
        #expect(schedule.demand(at: .zero) == .fetch)
        schedule.failed(at: .seconds(1))
        #expect(schedule.demand(at: .seconds(1)) == .refuse(retryAfter: .seconds(29)))
        #expect(schedule.startFetchIfDue(at: .seconds(3)) == true)
        schedule.succeeded(at: .seconds(3), Self.hour)
        #expect(schedule.demand(at: .seconds(29)) == .refuse(retryAfter: .seconds(1)))
        #expect(schedule.demand(at: .seconds(30)) == .fetch)
    }
}
