import Testing

@testable import GoogleCredentials

/// The state machine, at times that the tests choose.
struct AccessTokenScheduleTests {
    private static let error = AccessTokenError("x is down")

    private func token(_ value: String = "a", until expiry: Int64) -> AccessToken {
        AccessToken(value: Secret(value), expiresAt: expiry)
    }

    /// What a question at this time is answered, and whether a fetch begins.
    private func ask(_ schedule: inout AccessTokenSchedule, _ time: Int64) -> String {
        let (answer, begins) = schedule.ask(at: time)
        let word =
            switch answer {
            case .token(let token): token.value.value
            case .failed(let error): error.sentence
            case .wait: "wait"
            }
        return begins ? "\(word), fetch" : word
    }

    private func reject(_ schedule: inout AccessTokenSchedule, _ token: AccessToken, _ time: Int64) -> Bool {
        schedule.reject(token, at: time)
    }

    private func begins(_ schedule: inout AccessTokenSchedule, _ time: Int64) -> Bool {
        schedule.beginsFetch(at: time)
    }

    private func fresh(_ lifetime: Int64 = 3600, margin: Int64 = 300) -> AccessTokenSchedule {
        var schedule = AccessTokenSchedule(margin: margin)
        _ = schedule.ask(at: now)
        schedule.succeeded(token(until: now + lifetime), at: now)
        return schedule
    }

    @Test func `the first question begins the one fetch`() {
        var schedule = AccessTokenSchedule()
        #expect(schedule.validUntil(at: now) == nil)
        #expect(ask(&schedule, now) == "wait, fetch")
        #expect(ask(&schedule, now) == "wait")
        schedule.succeeded(token(until: now + 3600), at: now + 1)
        #expect(ask(&schedule, now + 1) == "a")
        #expect(schedule.validUntil(at: now + 1) == now + 3600)
    }

    @Test(arguments: [300, 225])
    func `from the margin on, one renewal runs while the token serves`(margin: Int64) {
        var schedule = fresh(margin: margin)
        #expect(ask(&schedule, now + 3599 - margin) == "a")
        #expect(ask(&schedule, now + 3600 - margin) == "a, fetch")
        #expect(ask(&schedule, now + 3589) == "a")
        schedule.succeeded(token("b", until: now + 7000), at: now + 3589)
        #expect(ask(&schedule, now + 3589) == "b")
    }

    @Test func `a token is not used in its last ten seconds`() {
        var schedule = fresh()
        #expect(ask(&schedule, now + 3590) == "wait, fetch")
        #expect(schedule.validUntil(at: now + 3589) == now + 3600)
        #expect(schedule.validUntil(at: now + 3590) == nil)
    }

    @Test(arguments: [1, 2, 3, 60, 200])
    func `half of a short rest is used before the next fetch`(lifetime: Int64) {
        var schedule = fresh(lifetime)
        #expect(ask(&schedule, now) == "a")
        #expect(ask(&schedule, now + lifetime - lifetime / 2 - 1) == "a")
        let answer = ask(&schedule, now + lifetime - lifetime / 2)
        #expect(answer == (lifetime < 20 ? "wait, fetch" : "a, fetch"))
    }

    @Test func `after failures the pause doubles from 1 to 30 seconds`() {
        for (jitter, pauses) in [(1.0, [1, 2, 4, 8, 16, 30, 30]), (0.0, [1, 1, 2, 4, 8, 15, 15])] as [(Double, [Int64])]
        {
            var schedule = AccessTokenSchedule()
            var time = now
            for pause in pauses {
                #expect(ask(&schedule, time) == "wait, fetch")
                schedule.failed(Self.error, at: time, jitter: jitter)
                #expect(ask(&schedule, time + pause - 1) == "x is down")
                time += pause
            }
            #expect(ask(&schedule, time) == "wait, fetch")
        }
    }

    @Test func `a jitter out of range does not leave the pause's range`() {
        for jitter in [-5.0, 5.0, .infinity, -.infinity] {
            var schedule = AccessTokenSchedule()
            _ = schedule.ask(at: now)
            schedule.failed(Self.error, at: now, jitter: jitter)
            #expect(ask(&schedule, now) == "x is down")
            #expect(ask(&schedule, now + 1) == "wait, fetch")
        }
    }

    @Test func `a valid token serves through failed renewals until it ends`() {
        var schedule = fresh()
        #expect(ask(&schedule, now + 3300) == "a, fetch")
        schedule.failed(Self.error, at: now + 3300, jitter: 1)
        #expect(schedule.lastError == Self.error)
        #expect(ask(&schedule, now + 3300) == "a")
        #expect(ask(&schedule, now + 3301) == "a, fetch")
        schedule.failed(Self.error, at: now + 3589, jitter: 1)
        #expect(ask(&schedule, now + 3590) == "x is down")
        #expect(ask(&schedule, now + 3591) == "wait, fetch")
        schedule.succeeded(token("b", until: now + 9000), at: now + 3592)
        #expect(schedule.lastError == nil)
        #expect(ask(&schedule, now + 3592) == "b")
    }

    @Test func `a success ends the row of failures`() {
        var schedule = AccessTokenSchedule()
        var time = now
        for _ in 0..<6 {
            _ = schedule.ask(at: time)
            schedule.failed(Self.error, at: time, jitter: 1)
            time += 30
        }
        _ = schedule.ask(at: time)
        schedule.succeeded(token(until: time + 3600), at: time)
        #expect(ask(&schedule, time + 3300) == "a, fetch")
        schedule.failed(Self.error, at: time + 3300, jitter: 1)
        #expect(ask(&schedule, time + 3301) == "a, fetch")
    }

    @Test func `a rejected token is not served again and is replaced once`() {
        var schedule = fresh()
        #expect(reject(&schedule, token(until: 0), now + 5))
        #expect(!reject(&schedule, token(until: 0), now + 5))
        #expect(ask(&schedule, now + 5) == "wait")
        schedule.succeeded(token("b", until: now + 3600), at: now + 6)
        #expect(!reject(&schedule, token("a", until: 0), now + 7), "an old token")
        #expect(!reject(&schedule, token("b", until: 0), now + 34), "too soon")
        #expect(ask(&schedule, now + 34) == "b")
        #expect(reject(&schedule, token("b", until: 0), now + 35))
    }

    @Test func `a rejection waits for the fetch in flight, or for the pause`() {
        var schedule = fresh()
        #expect(ask(&schedule, now + 3300) == "a, fetch")
        #expect(!reject(&schedule, token(until: 0), now + 3301))
        #expect(ask(&schedule, now + 3301) == "wait")
        schedule.failed(Self.error, at: now + 3302, jitter: 1)
        #expect(ask(&schedule, now + 3302) == "x is down")

        var pausing = fresh()
        _ = pausing.ask(at: now + 3300)
        pausing.failed(Self.error, at: now + 3300, jitter: 1)
        #expect(!reject(&pausing, token(until: 0), now + 3300))
        #expect(ask(&pausing, now + 3300) == "x is down")
        #expect(ask(&pausing, now + 3301) == "wait, fetch")
    }

    @Test func `a clock that is set back does not prolong a pause`() {
        var schedule = AccessTokenSchedule()
        _ = schedule.ask(at: now)
        schedule.failed(Self.error, at: now, jitter: 1)
        #expect(ask(&schedule, now - 3600) == "wait, fetch")
        var rejected = fresh()
        _ = rejected.reject(token(until: 0), at: now)
        rejected.succeeded(token("b", until: now), at: now - 3600)
        #expect(reject(&rejected, token("b", until: 0), now - 3600))
    }

    @Test func `the next look is when a fetch may be due`() {
        var schedule = AccessTokenSchedule()
        #expect(schedule.pause(at: now) == 1)
        #expect(begins(&schedule, now))
        schedule.succeeded(token(until: now + 3600), at: now)
        #expect(schedule.pause(at: now) == 3300)
        #expect(!begins(&schedule, now + 3299))
        #expect(begins(&schedule, now + 3300))
        for _ in 0..<6 { schedule.failed(Self.error, at: now + 3300, jitter: 1) }
        #expect(schedule.pause(at: now + 3300) == 30)
    }
}
