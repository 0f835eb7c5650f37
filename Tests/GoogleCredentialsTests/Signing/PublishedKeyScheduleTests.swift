import Testing

@testable import GoogleCredentials

struct PublishedKeyScheduleTests {
    private var schedule = PublishedKeySchedule()

    @Test mutating func `one fetch at a time, and others wait`() {
        #expect(schedule.unknownKey(at: .zero) == .fetch)
        #expect(schedule.unknownKey(at: .zero) == .wait)
        #expect(schedule.beginsFetch(at: .zero) == false)
    }

    @Test(arguments: [(nil, 3600), (0, 60), (600, 600), (1_000_000, 86_400)])
    mutating func `keys are fetched again after their age`(age: Int?, seconds: Int) {
        #expect(schedule.beginsFetch(at: .zero) == true)
        schedule.succeeded(at: .zero, age: age.map { .seconds($0) })
        #expect(schedule.beginsFetch(at: .seconds(seconds) - .milliseconds(1)) == false)
        #expect(schedule.beginsFetch(at: .seconds(seconds)) == true)
    }

    @Test mutating func `the term of keys outlasts failed fetches`() throws {
        #expect(schedule.term(at: .zero)?.age == nil)
        schedule.succeeded(at: .seconds(10), age: .seconds(600))
        schedule.failed(at: .seconds(20))
        let term = try #require(schedule.term(at: .seconds(30)))
        #expect(term.age == .seconds(20) && term.left == .seconds(580))
        #expect(schedule.term(at: .seconds(1000))?.left == .zero)
    }

    @Test mutating func `unknown keys cause a fetch a minute at most`() {
        _ = schedule.beginsFetch(at: .zero)
        schedule.succeeded(at: .zero, age: nil)
        #expect(schedule.unknownKey(at: .seconds(1)) == .fetch)
        schedule.succeeded(at: .seconds(2), age: nil)
        #expect(schedule.unknownKey(at: .seconds(3)) == .refuse(retryAfter: .seconds(58)))
        #expect(schedule.unknownKey(at: .seconds(61)) == .fetch)
    }

    @Test mutating func `failed fetches pause for longer each time`() {
        var now = Duration.zero
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(schedule.beginsFetch(at: now) == true)
            schedule.failed(at: now)
            let early = now + .seconds(pause) - .milliseconds(1)
            #expect(schedule.unknownKey(at: early) == .refuse(retryAfter: .milliseconds(1)))
            now += .seconds(pause)
        }
    }
}
