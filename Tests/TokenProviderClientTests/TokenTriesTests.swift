import Foundation
import Testing

@testable import TokenProviderClient

/// One subject's state: tries, the pauses between them, and what callers learn in the end.
@Suite struct TokenTriesTests {
    var run = SlotRun()

    private static let limited = TokenProviderError.limited(HTTPAnswer.problem(429, "c").problem, retryAfter: nil)
    private static let unavailable = TokenProviderError.unavailable(
        HTTPAnswer.problem(503, "c").problem, retryAfter: nil)

    @Test mutating func `three failures are all that a call takes`() throws {
        run.ask(1)
        try run.fail()
        #expect(run.sent == nil)
        run.advance(by: 0.5)
        try run.fail()
        run.advance(by: 0.9)
        #expect(run.sent == nil)
        run.advance(by: 0.1)
        #expect(run.texts == [])
        try run.fail()
        #expect(run.texts == ["unreachable -1005"])
        #expect(run.slot.isEmpty)
        // The next call begins at once.
        run.ask(2)
        #expect(run.sentFresh.count == 4)
    }

    @Test mutating func `the lot stretches the pauses`() throws {
        run.random = 0.999_999
        run.ask(1)
        try run.fail()
        run.advance(by: 0.99)
        #expect(run.sent == nil)
        run.advance(by: 0.01)
        try run.fail()
        run.advance(by: 1.99)
        #expect(run.sent == nil)
        run.advance(by: 0.01)
        #expect(run.sent != nil)
    }

    @Test mutating func `refused credentials are replaced once`() throws {
        let problem = TokenProviderError.unauthenticated(HTTPAnswer.problem(401, "c").problem)
        run.ask(1)
        try run.end(.unauthenticated(problem))
        #expect(run.sentFresh == [false, true])
        #expect(run.texts == [])
        try run.end(.unauthenticated(problem))
        #expect(run.sentFresh.count == 2)
        #expect(run.texts == ["unauthenticated c"])
    }

    @Test mutating func `fresh credentials are asked for once, and cost no try`() throws {
        let problem = TokenProviderError.unauthenticated(HTTPAnswer.problem(401, "c").problem)
        run.ask(1)
        try run.fail()
        run.advance(by: 2)
        try run.end(.unauthenticated(problem))
        try run.fail()
        run.advance(by: 2)
        #expect(run.sentFresh == [false, false, true, false])
        try run.end(token: "a", usable: 1000)
        #expect(run.texts == ["a"])
    }

    @Test mutating func `a refusal ends the call at once`() throws {
        run.ask(1)
        run.ask(2)
        try run.end(.refused(.forbidden(HTTPAnswer.problem(403, "c").problem)))
        #expect(run.texts == ["forbidden c", "forbidden c"])
        #expect(run.slot.isEmpty)
    }

    @Test mutating func `Retry-After is waited for, and up to a second more`() throws {
        run.random = 0.5
        run.ask(1)
        try run.end(.failed(Self.unavailable, retryAfter: 7))
        run.advance(by: 7.4)
        #expect(run.sent == nil)
        run.advance(by: 0.1)
        try run.end(token: "a", usable: 1000)
        #expect(run.texts == ["a"])
    }

    @Test mutating func `a caller that cannot wait for Retry-After learns why at once`() throws {
        run.ask(1, within: 5)
        run.ask(2, within: 60)
        try run.end(.failed(Self.unavailable, retryAfter: 7))
        #expect(run.texts == ["unavailable c"])
        // So does one that comes later, and no request is made for it.
        run.ask(3, within: 2)
        #expect(run.texts == ["unavailable c", "unavailable c"])
        run.advance(by: 7)
        try run.end(token: "a", usable: 1000)
        #expect(run.answers.map(\.id) == [1, 3, 2])
    }

    @Test mutating func `Retry-After holds after the call has failed`() throws {
        run.ask(1, within: 5)
        try run.end(.failed(Self.limited, retryAfter: 60))
        #expect(run.texts == ["limited c"])
        run.advance(by: 20)
        run.ask(2, within: 5)
        #expect(run.texts == ["limited c", "limited c"])
        run.handle(.invalidated)
        run.ask(3, within: 5)
        #expect(run.texts.count == 3)
        #expect(run.sentFresh.count == 1)
        run.advance(by: 40)
        #expect(run.slot.isEmpty)
        run.ask(4, within: 5)
        #expect(run.sentFresh.count == 2)
    }

    @Test mutating func `a caller during a pause learns how much is left`() throws {
        let problem = HTTPAnswer.problem(429, "c").problem
        run.ask(1, within: 5)
        try run.end(.failed(.limited(problem, retryAfter: 60), retryAfter: 60))
        run.advance(by: 55)
        run.ask(2, within: 1)
        run.shared = TokenPause(end: run.now.monotonic + 40, error: .limited(problem, retryAfter: 90))
        run.handle(.invalidated)
        run.ask(3, within: 1)
        #expect(run.waits == [60, 5, 40])
    }

    @Test mutating func `429 makes every subject wait, 503 does not`() throws {
        run.ask(1)
        try run.end(.failed(Self.unavailable, retryAfter: 1))
        #expect(run.pausedAll == 0)
        run.advance(by: 1)
        try run.end(.failed(Self.limited, retryAfter: 1))
        #expect(run.pausedAll == 1)
    }

    @Test mutating func `the pause of another subject is waited for`() throws {
        run.shared = TokenPause(end: run.now.monotonic + 20, error: Self.limited)
        run.ask(1, within: 5)
        run.ask(2, within: 30)
        #expect(run.texts == ["limited c"])
        run.advance(by: 19)
        #expect(run.sent == nil)
        run.advance(by: 1)
        #expect(run.sent != nil)
    }

    @Test mutating func `a deadline ends a caller's wait, not the request`() throws {
        run.ask(1, within: 5)
        run.ask(2, within: 10)
        run.advance(by: 5)
        #expect(run.texts == ["unreachable -1001"])
        try run.end(token: "a", usable: 1000)
        #expect(run.texts == ["unreachable -1001", "a"])
        #expect(run.cancelled == 0)
    }

    @Test mutating func `a deadline says why the last try failed`() throws {
        run.ask(1, within: 5)
        try run.end(.failed(Self.unavailable, retryAfter: nil))
        run.advance(by: 5)
        #expect(run.texts == ["unavailable c"])
    }

    @Test mutating func `a try that hangs is ended, and counts as a failure`() throws {
        run.ask(1, within: 60)
        for count in 1...3 {
            run.advance(by: 15)
            #expect(run.cancelled == count)
            run.advance(by: 1)
        }
        #expect(run.texts == ["unreachable -1001"])
        #expect(run.sentFresh.count == 3)
    }

    @Test mutating func `the outcome of a try that was ended counts for nothing`() throws {
        run.ask(1, within: 60)
        let late = try #require(run.sent)
        run.advance(by: 15)
        run.handle(.ended(late, .token(try run.lease("a", 1000))))
        #expect(run.texts == [])
    }

    @Test mutating func `tries without a waiting caller end with the prefetch's time`() throws {
        run.handle(.prefetched(until: run.now.monotonic + 30))
        try run.end(.failed(Self.unavailable, retryAfter: 40))
        #expect(run.slot.nextEvent(at: run.now) == 40)
        run.advance(by: 40)
        #expect(run.slot.isEmpty)
        #expect(run.sentFresh.count == 1)
    }

    @Test mutating func `a caller without time starts the request`() throws {
        run.ask(1, within: 0)
        #expect(run.texts == ["unreachable -1001"])
        try run.end(token: "a", usable: 1000)
        run.ask(2, within: 0)
        #expect(run.texts == ["unreachable -1001", "a"])
    }
}
