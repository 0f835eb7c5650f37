import CallerAccess
import Testing

@Suite struct CircuitBreakerTests {
    /// A breaker under a clock that only the test moves.
    private final class Bench {
        /// What happened to a question, and what its end changed.
        enum Fate: Equatable {
            case asked, opened(pause: Int64), closed, kept
        }

        private var breaker = CircuitBreaker()
        var now: Int64 = 0

        func begin(_ address: UInt8 = 1) -> CircuitBreaker.Attempt? {
            breaker.begin(for: RateLimitKey(address: [192, 0, 2, address].span), at: now)
        }

        func end(_ attempt: CircuitBreaker.Attempt, _ health: BackEndHealth) -> Fate {
            switch breaker.end(attempt, health, at: now) {
            case nil: .asked
            case .opened(let pause): .opened(pause: pause)
            case .closed: .closed
            }
        }

        func ask(_ health: BackEndHealth, _ address: UInt8 = 1) -> Fate {
            begin(address).map { end($0, health) } ?? .kept
        }

        func open() {
            for _ in 0..<CircuitBreaker.fewest { _ = ask(.failing) }
        }
    }

    @Test func `five failures open the breaker, four do not`() {
        let bench = Bench()
        for _ in 0..<4 { #expect(bench.ask(.failing) == .asked) }
        #expect(bench.ask(.failing) == .opened(pause: 1000))
        #expect(bench.ask(.answering) == .kept)
    }

    @Test func `more than half must fail, and unknown outcomes do not count`() {
        let bench = Bench()
        for _ in 0..<20 {
            #expect(bench.ask(.answering) == .asked)
            #expect(bench.ask(.failing) == .asked)
            #expect(bench.ask(.unknown) == .asked)
        }
        #expect(bench.ask(.failing) == .opened(pause: 1000))
    }

    @Test func `old answers no longer count against failures`() {
        let bench = Bench()
        for _ in 0..<1000 { #expect(bench.ask(.answering) == .asked) }
        bench.now = 4999
        #expect(bench.ask(.answering) == .asked)
        bench.now = 9_999
        #expect(bench.ask(.failing) == .asked)
        bench.now = 15_000
        for _ in 0..<3 { #expect(bench.ask(.failing) == .asked) }
        #expect(bench.ask(.failing) == .opened(pause: 1000))
    }

    @Test func `one caller's failures do not open it for others`() {
        let bench = Bench()
        #expect(bench.ask(.answering, 2) == .asked)
        for _ in 0..<1000 { #expect(bench.ask(.failing) == .asked) }
        // Two of three callers are most of them.
        #expect(bench.ask(.failing, 3) == .opened(pause: 1000))
    }

    @Test func `a caller who has not failed tries an open breaker at once`() {
        let bench = Bench()
        bench.open()
        #expect(bench.ask(.failing, 1) == .kept)
        #expect(bench.ask(.failing, 2) == .asked)
        // It failed now, and the next caller waits a little.
        #expect(bench.ask(.answering, 2) == .kept)
        #expect(bench.ask(.answering, 3) == .kept)
        bench.now = CircuitBreaker.gap
        #expect(bench.ask(.answering, 2) == .kept)
        #expect(bench.ask(.answering, 3) == .closed)
        for _ in 0..<100 { #expect(bench.ask(.failing, 1) == .asked) }
    }

    @Test func `an early trial that fails keeps the pause`() {
        let bench = Bench()
        bench.open()
        #expect(bench.ask(.failing, 2) == .asked)
        bench.now = 999
        #expect(bench.ask(.answering, 1) == .kept)
        bench.now = 1000
        #expect(bench.ask(.answering, 1) == .closed)
    }

    @Test func `trials go to different callers if there are several`() {
        let bench = Bench()
        for address in 1...5 { _ = bench.ask(.failing, UInt8(address)) }
        bench.now = 1000
        #expect(bench.ask(.failing, 1) == .opened(pause: 2000))
        bench.now = 3000
        #expect(bench.ask(.failing, 1) == .kept)
        #expect(bench.ask(.failing, 2) == .opened(pause: 4000))
        // Alone, the last one has another turn after a second pause.
        bench.now = 7000
        #expect(bench.ask(.failing, 2) == .kept)
        bench.now = 11_000
        #expect(bench.ask(.answering, 2) == .closed)
    }

    @Test func `an open breaker lets one question through after its pause`() {
        let bench = Bench()
        bench.open()
        bench.now = 999
        #expect(bench.begin() == nil)
        bench.now = 1000
        #expect(bench.begin() != nil)
        for now in [1000, 2000, 1_000_000] as [Int64] {
            bench.now = now
            #expect(bench.begin() == nil)
        }
    }

    @Test func `a slow trial of one caller keeps no other from trying`() throws {
        let bench = Bench()
        for address in 1...5 { _ = bench.ask(.failing, UInt8(address)) }
        bench.now = 1000
        let slow = try #require(bench.begin(1))
        #expect(bench.begin(2) == nil)
        bench.now += CircuitBreaker.gap
        #expect(bench.begin(1) == nil)
        let honest = try #require(bench.begin(2))
        // The pause that the slow one lengthens does not make the other trial void.
        #expect(bench.end(slow, .failing) == .opened(pause: 2000))
        #expect(bench.end(honest, .answering) == .closed)
        for _ in 0..<100 { #expect(bench.ask(.failing, 1) == .asked) }
    }

    @Test func `few trials are open, and those after one pause lengthen it once`() throws {
        let bench = Bench()
        bench.open()
        bench.now = 1000
        var trials: [CircuitBreaker.Attempt] = []
        for address in 1...CircuitBreaker.mostTrials {
            trials.append(try #require(bench.begin(UInt8(address))))
            bench.now += CircuitBreaker.gap
        }
        #expect(bench.begin(100) == nil)
        #expect(bench.end(trials[0], .failing) == .opened(pause: 2000))
        for trial in trials.dropFirst() { #expect(bench.end(trial, .failing) == .asked) }
        #expect(bench.ask(.answering, 100) == .closed)
    }

    @Test func `an answered trial closes the breaker`() {
        let bench = Bench()
        bench.open()
        bench.now = 1000
        #expect(bench.ask(.answering) == .closed)
        for _ in 0..<3 { #expect(bench.ask(.failing) == .asked) }
    }

    @Test func `each failed trial doubles the pause, up to half a minute`() {
        let bench = Bench()
        bench.open()
        var pause: Int64 = 1000
        for next in [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000] as [Int64] {
            bench.now += pause - 1
            #expect(bench.ask(.failing) == .kept)
            bench.now += 1
            #expect(bench.ask(.failing) == .opened(pause: next))
            pause = next
        }
        bench.now += pause
        #expect(bench.ask(.answering) == .closed)
        for _ in 0..<3 { #expect(bench.ask(.failing) == .asked) }
        #expect(bench.ask(.failing) == .opened(pause: 1000))
    }

    @Test func `a trial without a result keeps the pause and allows another trial`() {
        let bench = Bench()
        bench.open()
        bench.now = 1000
        #expect(bench.ask(.unknown) == .asked)
        #expect(bench.ask(.failing) == .opened(pause: 2000))
    }

    @Test func `questions begun before the breaker opened do not change it`() throws {
        let bench = Bench()
        let late = try (0..<3).map { _ in try #require(bench.begin()) }
        bench.open()
        #expect(bench.end(late[0], .answering) == .asked)
        #expect(bench.begin() == nil)
        bench.now = 1000
        let trial = try #require(bench.begin())
        #expect(bench.end(late[1], .failing) == .asked)
        #expect(bench.end(late[2], .answering) == .asked)
        #expect(bench.begin() == nil)
        #expect(bench.end(trial, .answering) == .closed)
    }
}
