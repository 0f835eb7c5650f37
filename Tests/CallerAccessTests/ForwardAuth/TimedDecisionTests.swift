import CallerAccess
import Testing

@Suite struct TimedDecisionTests {
    private let made: Int64 = 1_800_000_000

    @Test func `a lifetime is counted from the time of the decision`() throws {
        let bound = try #require(TimedDecision(.allowed(principal: "p", lifetime: 20), madeAt: made).bound)
        #expect((bound.seconds, bound.end) == (20, made + 20))
        for (age, left) in [(0, 20), (1, 19), (18, 2), (19, 1), (20, 1), (21, nil), (500, nil), (-3600, 20)]
            as [(Int64, Int64?)]
        {
            #expect(bound.left(at: made + age) == left, "\(age) s later")
        }
    }

    @Test func `an unlimited lifetime is limited to Int32.max seconds`() {
        let bound = TokenBound(seconds: .max, from: made)
        #expect(bound.end == made + Int64(Int32.max))
        #expect(bound.left(at: made + 3600) == Int64(Int32.max) - 3600)
    }

    @Test func `a decision without a lifetime does not bound the token`() {
        for decision in [.allowed(principal: "p", lifetime: nil), .denied, .unauthenticated] as [BackEndDecision] {
            #expect(TimedDecision(decision, madeAt: made).bound == nil)
        }
    }
}
