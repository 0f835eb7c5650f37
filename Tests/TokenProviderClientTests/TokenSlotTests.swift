import Foundation
import Testing

@testable import TokenProviderClient

/// One subject's state: when a token is served, renewed and requested.
@Suite struct TokenSlotTests {
    var run = SlotRun()

    @Test mutating func `callers share a request, and get its token`() throws {
        for id in 1...3 { run.ask(id) }
        #expect(run.sentFresh == [false])
        try run.end(token: "a", usable: 1000)
        #expect(run.answers.map(\.id) == [1, 2, 3])
        #expect(run.texts == ["a", "a", "a"])
        run.ask(4)
        #expect(run.texts.count == 4)
        #expect(run.sentFresh.count == 1)
    }

    @Test mutating func `a cancelled caller gets nothing, and the others their token`() throws {
        for id in 1...3 { run.ask(id) }
        run.handle(.cancelled(2))
        try run.end(token: "a", usable: 1000)
        #expect(run.answers.map(\.id) == [1, 3])
    }

    @Test mutating func `a token in use is renewed before it ends`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 699)
        #expect(run.sentFresh.count == 1)
        run.advance(by: 1)
        #expect(run.sentFresh.count == 2)
        // Served from memory meanwhile.
        run.ask(2)
        try run.end(token: "b", usable: 1000)
        run.ask(3)
        #expect(run.texts == ["a", "a", "b"])
        #expect(run.sentFresh.count == 2)
    }

    @Test mutating func `the lot moves the renewal by up to a tenth`() throws {
        run.random = 0.5
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 649)
        #expect(run.sentFresh.count == 1)
        run.advance(by: 1)
        #expect(run.sentFresh.count == 2)
    }

    @Test mutating func `an unused token is not renewed, and is forgotten when it ends`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 700)
        try run.end(token: "b", usable: 1000)
        run.advance(by: 999)
        #expect(run.sentFresh.count == 2)
        #expect(!run.slot.isEmpty)
        run.advance(by: 1)
        #expect(run.slot.isEmpty)
        #expect(run.slot.nextEvent(at: run.now) == nil)
    }

    @Test mutating func `a call after the renewal's time is served, and renews`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.pass(900)
        run.ask(2)
        #expect(run.texts == ["a", "a"])
        #expect(run.sentFresh.count == 2)
    }

    @Test mutating func `after a device's sleep, a token that ended is not served`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        // The monotonic clock stands still.
        run.now.wall += 1000
        #expect(run.slot.use(at: run.now) == nil)
        run.ask(2)
        #expect(run.texts == ["a"])
        try run.end(token: "b", usable: 1000)
        #expect(run.texts == ["a", "b"])
    }

    @Test mutating func `a token that ended on its way is fetched again`() throws {
        run.ask(1, within: 9000)
        let lease = try run.lease("a", 1000)
        run.now.wall += 1000
        try run.end(.token(lease))
        #expect(run.texts == [])
        run.advance(by: 1)
        try run.end(token: "b", usable: 1000)
        #expect(run.texts == ["b"])
    }

    @Test mutating func `a failed renewal is tried again while the token is served`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 700)
        for _ in 1...3 {
            try run.fail()
            run.advance(by: 2)
        }
        // Then a fifth of the time that was left.
        #expect(run.sent == nil)
        run.ask(2)
        run.advance(by: 50)
        #expect(run.sent == nil)
        run.advance(by: 10)
        #expect(run.sent != nil)
        #expect(run.texts == ["a", "a"])
    }

    @Test mutating func `a refused renewal is not repeated while the token lasts`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 700)
        try run.end(.refused(.forbidden(HTTPAnswer.problem(403, "c").problem)))
        run.advance(by: 299)
        run.ask(2)
        #expect(run.sent == nil)
        run.advance(by: 1)
        run.ask(3)
        try run.end(.refused(.forbidden(HTTPAnswer.problem(403, "c").problem)))
        #expect(run.texts == ["a", "a", "forbidden c"])
    }

    @Test mutating func `a renewal that the server did not decide on is repeated`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 700)
        try run.end(.refused(.redirected(status: 302, host: "portal.example.com")))
        run.advance(by: 59)
        #expect(run.sent == nil)
        run.advance(by: 1)
        try run.end(token: "b", usable: 1000)
        run.ask(2)
        #expect(run.texts == ["a", "b"])
    }

    @Test mutating func `a prefetched token serves the first call`() throws {
        run.handle(.prefetched(until: run.now.monotonic + 30))
        run.handle(.prefetched(until: run.now.monotonic + 30))
        try run.end(token: "a", usable: 1000)
        run.ask(1)
        #expect(run.texts == ["a"])
        #expect(run.sentFresh.count == 1)
    }

    @Test mutating func `an invalidated token is requested again`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.handle(.invalidated)
        #expect(run.slot.isEmpty)
        run.ask(2)
        try run.end(token: "b", usable: 1000)
        #expect(run.texts == ["a", "b"])
    }

    @Test mutating func `a request that began before the invalidation serves no caller`() throws {
        run.ask(1)
        let before = try #require(run.sent)
        run.handle(.invalidated)
        #expect(run.cancelled == 1)
        run.handle(.ended(before, .token(try run.lease("a", 1000))))
        #expect(run.texts == [])
        try run.end(token: "b", usable: 1000)
        #expect(run.texts == ["b"])
    }

    @Test mutating func `an invalidated token without callers ends its renewal`() throws {
        run.ask(1)
        try run.end(token: "a", usable: 1000)
        run.advance(by: 700)
        run.handle(.invalidated)
        #expect(run.cancelled == 1)
        #expect(run.slot.isEmpty)
    }
}
