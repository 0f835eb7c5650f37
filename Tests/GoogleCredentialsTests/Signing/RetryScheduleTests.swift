import FleetEngineToken
import Testing

@testable import GoogleCredentials

struct RetryScheduleTests {
    @Test func `pauses double and have full jitter`() {
        for random in [0, 0.25, 0.999] {
            var schedule = RetrySchedule(.refresh, at: .seconds(5))
            #expect(schedule.begin(at: .seconds(5)) == .seconds(15))
            let first = schedule.pause(after: .transient(retryAfter: nil), at: .seconds(5), random: random)
            #expect(first == .seconds(1) * random)
            _ = schedule.begin(at: .seconds(5))
            let second = schedule.pause(after: .transient(retryAfter: nil), at: .seconds(5), random: random)
            #expect(second == .seconds(2) * random)
            _ = schedule.begin(at: .seconds(5))
            #expect(schedule.pause(after: .transient(retryAfter: nil), at: .seconds(5), random: random) == nil)
        }
    }

    @Test func `the time that Google names comes before the jitter`() {
        var schedule = RetrySchedule(.request, at: .zero)
        _ = schedule.begin(at: .zero)
        #expect(
            schedule.pause(after: .transient(retryAfter: .seconds(4)), at: .zero, random: 0.5) == .milliseconds(4500))
        _ = schedule.begin(at: .milliseconds(4500))
        #expect(schedule.pause(after: .transient(retryAfter: .seconds(6)), at: .seconds(5), random: 0) == nil)
    }

    @Test func `the last try has only the rest of the deadline`() {
        var schedule = RetrySchedule(.request, at: .zero)
        #expect(schedule.begin(at: .zero) == .seconds(3))
        #expect(schedule.begin(at: .milliseconds(9_500)) == .milliseconds(500))
        #expect(schedule.begin(at: .microseconds(9_999_500)) == nil)
        #expect(schedule.begin(at: .seconds(11)) == nil)
        #expect(schedule.remaining(at: .seconds(11)) == .zero)
    }

    @Test func `a rejected access token is tried once more, at once`() {
        var schedule = RetrySchedule(.request, at: .zero)
        _ = schedule.begin(at: .zero)
        #expect(schedule.pause(after: .tokenRejected, at: .zero, random: 0.9) == .zero)
        _ = schedule.begin(at: .zero)
        #expect(schedule.pause(after: .tokenRejected, at: .zero, random: 0.9) == nil)
    }

    @Test func `a final failure is not tried again`() {
        var schedule = RetrySchedule(.refresh, at: .zero)
        _ = schedule.begin(at: .zero)
        #expect(schedule.pause(after: .final, at: .zero, random: 0) == nil)
    }
}
