import Testing

@testable import GoogleCredentials

struct CircuitBreakerTests {
    private var breaker = CircuitBreaker()

    /// Makes a call that ends at once; nil if it was refused.
    private mutating func call(_ outcome: CircuitBreaker.Outcome, at now: Duration) -> CircuitBreaker.Change?? {
        guard case .allowed(let permit) = breaker.admit(at: now) else { return nil }
        return .some(breaker.record(outcome, of: permit, at: now))
    }

    private mutating func open(at now: Duration) {
        for _ in 0..<20 { _ = call(.failure, at: now) }
    }

    @Test mutating func `nineteen failures do not open it, the twentieth does`() {
        for _ in 0..<19 { #expect(call(.failure, at: .zero) == .some(nil)) }
        #expect(!breaker.isOpen)
        #expect(call(.failure, at: .zero) == .some(.opened(failures: 20, calls: 20)))
        #expect(breaker.isOpen)
        #expect(breaker.admit(at: .seconds(1)) == .refused(retryAfter: .seconds(4)))
    }

    @Test mutating func `fewer failures than successes leave it closed`() {
        for _ in 0..<20 { _ = call(.success, at: .zero) }
        for _ in 0..<19 { #expect(call(.failure, at: .seconds(1)) == .some(nil)) }
        #expect(call(.failure, at: .seconds(1)) == .some(.opened(failures: 20, calls: 40)))
    }

    @Test mutating func `failures older than ten seconds are forgotten`() {
        for _ in 0..<19 { _ = call(.failure, at: .zero) }
        #expect(call(.failure, at: .seconds(10)) == .some(nil))
        for _ in 0..<18 { #expect(call(.failure, at: .milliseconds(19_900)) == .some(nil)) }
        #expect(call(.failure, at: .milliseconds(19_950)) == .some(.opened(failures: 20, calls: 20)))
    }

    @Test mutating func `after five seconds one probe is let through`() {
        open(at: .zero)
        guard case .allowed(let probe) = breaker.admit(at: .seconds(5)) else {
            Issue.record("no probe")
            return
        }
        #expect(breaker.admit(at: .seconds(6)) == .refused(retryAfter: .seconds(1)))
        #expect(breaker.record(.success, of: probe, at: .seconds(7)) == .closed(after: .seconds(7)))
        #expect(!breaker.isOpen)
        #expect(call(.failure, at: .seconds(7)) == .some(nil))
    }

    @Test mutating func `a failed probe pauses again and reports nothing`() {
        open(at: .zero)
        #expect(call(.failure, at: .seconds(5)) == .some(nil))
        #expect(breaker.admit(at: .milliseconds(9_999)) == .refused(retryAfter: .milliseconds(1)))
        #expect(call(.success, at: .seconds(10)) == .some(.closed(after: .seconds(10))))
    }

    @Test mutating func `a probe that was not sent gives way to another`() {
        open(at: .zero)
        #expect(call(.unknown, at: .seconds(5)) == .some(nil))
        #expect(call(.success, at: .seconds(5)) == .some(.closed(after: .seconds(5))))
    }

    @Test mutating func `a slow probe gives way to another`() {
        open(at: .zero)
        guard case .allowed(let slow) = breaker.admit(at: .seconds(5)) else {
            Issue.record("no probe")
            return
        }
        #expect(breaker.admit(at: .milliseconds(7_999)) == .refused(retryAfter: .seconds(1)))
        #expect(call(.success, at: .seconds(8)) == .some(.closed(after: .seconds(8))))
        #expect(breaker.record(.failure, of: slow, at: .seconds(9)) == nil)
        #expect(!breaker.isOpen)
    }

    @Test mutating func `calls from before a change are not counted`() {
        let early = (0..<40).map { _ in breaker.admit(at: .zero) }
        var changes: [CircuitBreaker.Change] = []
        for case .allowed(let permit) in early {
            breaker.record(.failure, of: permit, at: .seconds(1)).map { changes.append($0) }
        }
        #expect(changes == [.opened(failures: 20, calls: 20)])
        guard case .allowed(let late) = early[39] else { return }
        _ = breaker.admit(at: .seconds(6))
        #expect(breaker.record(.success, of: late, at: .seconds(6)) == nil)
        #expect(breaker.isOpen)
    }

    @Test func `each change has its reason`() {
        #expect(
            CircuitBreaker.Change.opened(failures: 20, calls: 30).reason
                == "20 of 30 calls failed in 10 s; probing every 5 s")
        #expect(
            CircuitBreaker.Change.closed(after: .milliseconds(6_100)).reason
                == "a call succeeded after a pause of 7 s")
    }
}
