import CallerAccess
import HTTPServer
import Testing

@testable import TokenService

/// Limits by times that are handed in.
@Suite struct CallerLimitsTests {
    private let limits: RequestLimits
    private let stranger = IPAddress("192.0.2.1")
    private let rider = Principal(name: "r", source: .jwt(issuer: "i"), claims: nil, expiresAt: nil)

    init() throws {
        limits = RequestLimits(
            addresses: RateLimiter(try RateLimit(requestsPerSecond: 1, burst: 3)),
            principals: RateLimiter(try RateLimit(requestsPerSecond: 0.5, burst: 2)),
            failures: RateLimiter(try RateLimit(requestsPerSecond: 0.1, burst: 2)))
    }

    /// So many seconds after a beginning.
    private func time(_ seconds: Double) -> ServerTime {
        ServerTime(monotonic: 1_000_000_000_000 + UInt64(seconds * 1e9), epochSeconds: 1_700_000_000 + Int64(seconds))
    }

    private func problems(_ count: Int, _ ask: () -> CallerRefusal?) -> [CallerProblem?] {
        (0..<count).map { _ in ask()?.problem }
    }

    @Test func `an address may ask as often as its burst, and again once there is room`() {
        #expect(
            problems(4) { limits.excess(of: stranger, at: time(0)) } == [nil, nil, nil, .limited(retryAfter: 1)])
        #expect(problems(2) { limits.excess(of: stranger, at: time(1)) } == [nil, .limited(retryAfter: 1)])
        #expect(problems(4) { limits.excess(of: stranger, at: time(9)) }.filter { $0 == nil }.count == 3)
        #expect(limits.excess(of: stranger, at: time(9))?.reason == "its address asks too often")
        #expect(limits.excess(of: stranger, at: time(9))?.principal == nil)
    }

    @Test func `an IPv6 address counts for its whole subscriber, and others are not held up`() {
        let (one, other) = (IPAddress("2001:db8::1"), IPAddress("2001:db8::ffff:2"))
        #expect(problems(3) { limits.excess(of: one, at: time(0)) } == [nil, nil, nil])
        #expect(limits.excess(of: other, at: time(0)) != nil)
        #expect(limits.excess(of: IPAddress("2001:db8:0:1::1"), at: time(0)) == nil)
        #expect(limits.excess(of: stranger, at: time(0)) == nil)
    }

    @Test func `who failed lately has no more questions open than may fail, and others as many as they like`() throws {
        for principal in [nil, rider] {
            func hold(_ seconds: Double) throws(CallerRefusal) -> HeldFailure? {
                try limits.holdFailure(of: principal, from: stranger, at: time(seconds))
            }
            for _ in 0..<20 { #expect(try hold(0) == nil) }
            let refusal = principal.map { CallerRefusal(.notAllowed, "", $0) } ?? CallerRefusal(.invalidCredentials, "")
            limits.count(refusal, from: stranger, at: time(0))
            let held = try #require(try hold(0))
            #expect(throws: CallerRefusal.self) { try hold(0) }
            held.giveBack()
            #expect(try hold(0) != nil)
            #expect(throws: CallerRefusal.self) { try hold(9) }
            #expect(try hold(25) == nil)
        }
    }

    @Test func `who is not told apart from others is not held to the limit of addresses`() {
        #expect(problems(20) { limits.excess(of: IPAddress?.none, at: time(0)) }.allSatisfy { $0 == nil })
        for _ in 0..<20 { limits.count(CallerRefusal(.invalidCredentials, ""), from: nil, at: time(0)) }
        #expect(limits.excessiveFailures(of: IPAddress?.none, at: time(0)) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", false), ("::1", "::1", false), ("192.0.2.1", "192.0.2.1", true),
        ("127.0.0.1", "192.0.2.1", true), ("127.0.0.1", "127.0.0.9", true), ("10.0.0.1", "127.0.0.1", true),
    ])
    func `a peer on this machine is not counted, and who is only said to be there is`(
        peer: String, client: String, isCounted: Bool
    ) throws {
        let counted = try withRequest([], peer: IPAddress(peer)) {
            ClientAddresses(forwarded: nil).counted(IPAddress(client), of: $0)
        }
        #expect(counted == (isCounted ? IPAddress(client) : nil))
    }

    @Test func `a principal is held to a limit of its own, wherever it comes from`() {
        #expect(problems(3) { limits.excess(of: rider, at: time(0)) } == [nil, nil, .limited(retryAfter: 2)])
        let refusal = limits.excess(of: rider, at: time(1.5))
        #expect(refusal?.problem == .limited(retryAfter: 1))
        #expect(refusal?.reason == "the principal asks too often")
        #expect(refusal?.principal?.name == "r")
        let namesake = Principal(name: "r", source: .apiKey(name: "r"), claims: nil, expiresAt: nil)
        #expect(limits.excess(of: namesake, at: time(0)) == nil)
        #expect(problems(9) { limits.excess(of: .anonymous, at: time(0)) }.allSatisfy { $0 == nil })
    }

    @Test func `proofs that do not hold count for the address, and nothing new of it is verified for a while`() {
        let refusal = CallerRefusal(.invalidCredentials, "the token is wrong")
        limits.count(refusal, from: stranger, at: time(0))
        #expect(limits.excessiveFailures(of: stranger, at: time(0)) == nil)
        limits.count(refusal, from: stranger, at: time(0))
        let excess = limits.excessiveFailures(of: stranger, at: time(0))
        #expect(excess?.problem == .limited(retryAfter: 10))
        #expect(excess?.reason == "its address has failed to prove itself too often")
        #expect(limits.excessiveFailures(of: IPAddress("192.0.2.2"), at: time(0)) == nil)
        #expect(limits.excessiveFailures(of: stranger, at: time(10)) == nil)
        // Looking is not asking.
        #expect(limits.excessiveFailures(of: stranger, at: time(10)) == nil)
    }

    @Test func `tokens that no rule allows count for the principal, and for no address`() {
        let refusal = CallerRefusal(.notAllowed, "no rule", rider)
        for _ in 0..<2 { limits.count(refusal, from: stranger, at: time(0)) }
        #expect(limits.excessiveFailures(of: stranger, at: time(0)) == nil)
        let excess = limits.excessiveFailures(of: rider, at: time(0))
        #expect(excess?.problem == .limited(retryAfter: 10))
        #expect(excess?.reason == "the principal was refused too often")
        #expect(excess?.principal?.name == "r")
    }

    @Test func `who has no name is held to the limits of their address and holds up no other without one`() {
        let nameless = Principal(name: "", source: .jwt(issuer: "i"), claims: nil, expiresAt: nil)
        #expect(problems(9) { limits.excess(of: nameless, at: time(0)) }.allSatisfy { $0 == nil })
        let refusal = CallerRefusal(.notAllowed, "no rule", nameless)
        for _ in 0..<20 { limits.count(refusal, from: stranger, at: time(0)) }
        #expect(limits.excessiveFailures(of: nameless, at: time(0)) == nil)
        #expect(limits.excessiveFailures(of: stranger, at: time(0)) != nil)
        #expect(limits.excessiveFailures(of: IPAddress("192.0.2.2"), at: time(0)) == nil)
    }

    @Test func `what is nobody's failure does not count`() {
        let others: [CallerProblem] = [
            .callerRequired(.server), .limited(retryAfter: 1), .checkUnavailable, .auditUnavailable,
        ]
        for problem in others {
            for _ in 0..<9 { limits.count(CallerRefusal(problem, "", rider), from: stranger, at: time(0)) }
        }
        #expect(limits.excessiveFailures(of: stranger, at: time(0)) == nil)
        #expect(limits.excessiveFailures(of: rider, at: time(0)) == nil)
    }

    @Test func `what has no limit is not limited`() {
        let none = RequestLimits.none
        for _ in 0..<500 { none.count(CallerRefusal(.invalidCredentials, ""), from: stranger, at: time(0)) }
        #expect(none.excessiveFailures(of: stranger, at: time(0)) == nil)
        #expect(none.excessiveFailures(of: rider, at: time(0)) == nil)
        #expect(problems(500) { none.excess(of: stranger, at: time(0)) }.allSatisfy { $0 == nil })
        #expect(problems(500) { none.excess(of: rider, at: time(0)) }.allSatisfy { $0 == nil })
    }
}
