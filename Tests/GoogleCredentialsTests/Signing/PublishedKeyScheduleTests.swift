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
        schedule.succeeded(at: .zero, age: age.map { .seconds($0) }, bringsNew: true)
        #expect(schedule.beginsFetch(at: .seconds(seconds) - .milliseconds(1)) == false)
        #expect(schedule.beginsFetch(at: .seconds(seconds)) == true)
    }

    @Test mutating func `the term of keys outlasts failed fetches`() throws {
        #expect(schedule.term(at: .zero)?.age == nil)
        schedule.succeeded(at: .seconds(10), age: .seconds(600), bringsNew: true)
        schedule.failed(at: .seconds(20))
        let term = try #require(schedule.term(at: .seconds(30)))
        #expect(term.age == .seconds(20) && term.left == .seconds(580))
        #expect(schedule.term(at: .seconds(1000))?.left == .zero)
    }

    @Test mutating func `fetches that bring no new key pause for longer`() {
        _ = schedule.beginsFetch(at: .zero)
        schedule.succeeded(at: .zero, age: .seconds(86_400), bringsNew: true)
        var now = Duration.seconds(1)
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(schedule.unknownKey(at: now) == .fetch)
            schedule.succeeded(at: now, age: nil, bringsNew: false)
            #expect(schedule.unknownKey(at: now) == .refuse(retryAfter: .seconds(pause)))
            now += .seconds(pause)
        }
    }

    @Test mutating func `a second new key is fetched soon after the first`() {
        _ = schedule.beginsFetch(at: .zero)
        schedule.succeeded(at: .zero, age: nil, bringsNew: true)
        for second in stride(from: 1, to: 60, by: 2) {
            #expect(schedule.unknownKey(at: .seconds(second)) == .fetch)
            schedule.succeeded(at: .seconds(second), age: nil, bringsNew: true)
        }
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
