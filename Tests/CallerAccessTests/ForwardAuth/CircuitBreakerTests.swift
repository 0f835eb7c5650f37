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

        func begin() -> CircuitBreaker.Attempt? { breaker.begin(at: now) }

        func end(_ attempt: CircuitBreaker.Attempt, _ health: BackEndHealth) -> Fate {
            switch breaker.end(attempt, health, at: now) {
            case nil: .asked
            case .opened(let pause): .opened(pause: pause)
            case .closed: .closed
            }
        }

        func ask(_ health: BackEndHealth) -> Fate { begin().map { end($0, health) } ?? .kept }

        func open() {
            for _ in 0..<CircuitBreaker.failures { _ = ask(.failing) }
        }
    }

    @Test func `five failures in a row open the breaker, four do not`() {
        let bench = Bench()
        for _ in 0..<4 { #expect(bench.ask(.failing) == .asked) }
        #expect(bench.ask(.failing) == .opened(pause: 1000))
        #expect(bench.ask(.answering) == .kept)
    }

    @Test func `an answer resets the failure count, and unknown outcomes do not count`() {
        let bench = Bench()
        for _ in 0..<20 {
            for _ in 0..<4 { #expect(bench.ask(.failing) == .asked) }
            #expect(bench.ask(.unknown) == .asked)
            #expect(bench.ask(.answering) == .asked)
        }
        for _ in 0..<100 { #expect(bench.ask(.unknown) == .asked) }
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

    @Test func `an answered trial closes the breaker`() {
        let bench = Bench()
        bench.open()
        bench.now = 1000
        #expect(bench.ask(.answering) == .closed)
        for _ in 0..<4 { #expect(bench.ask(.failing) == .asked) }
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
        for _ in 0..<4 { #expect(bench.ask(.failing) == .asked) }
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
