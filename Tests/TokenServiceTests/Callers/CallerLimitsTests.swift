import CallerAccess
import HTTPServer
import Testing

@testable import HTTPServerSupport

@testable import TokenService

/// Limits, at times that a test chooses.
@Suite struct CallerLimitsTests {
    private let limits: RequestLimits
    private let client = IPAddress("192.0.2.1")
    private let rider = Principal(name: "r", source: .jwt(issuer: "i"), claims: nil, expiresAt: nil)

    init() {
        limits = RequestLimits(
            addresses: RateLimiter(RateLimit(requestsPerSecond: 1, burst: 3)),
            principals: RateLimiter(RateLimit(requestsPerSecond: 0.5, burst: 2)),
            failures: RateLimiter(RateLimit(requestsPerSecond: 0.1, burst: 2)))
    }

    /// A number of seconds after a fixed time.
    private func time(_ seconds: Double) -> ServerTime {
        ServerTime(monotonic: 1_000_000_000_000 + UInt64(seconds * 1e9), epochSeconds: 1_700_000_000 + Int64(seconds))
    }

    private func problems(_ count: Int, _ ask: () -> CallerRefusal?) -> [CallerProblem?] {
        (0..<count).map { _ in ask()?.problem }
    }

    @Test func `an address is limited after its burst and allowed again later`() {
        #expect(
            problems(4) { limits.excess(of: client, at: time(0)) } == [nil, nil, nil, .limited(retryAfter: 1)])
        #expect(problems(2) { limits.excess(of: client, at: time(1)) } == [nil, .limited(retryAfter: 1)])
        #expect(problems(4) { limits.excess(of: client, at: time(9)) }.filter { $0 == nil }.count == 3)
        #expect(limits.excess(of: client, at: time(9))?.reason == "too many requests from its address")
        #expect(limits.excess(of: client, at: time(9))?.principal == nil)
    }

    @Test func `addresses of one IPv6 network share a limit; others are unaffected`() {
        let (one, other) = (IPAddress("2001:db8::1"), IPAddress("2001:db8::ffff:2"))
        #expect(problems(3) { limits.excess(of: one, at: time(0)) } == [nil, nil, nil])
        #expect(limits.excess(of: other, at: time(0)) != nil)
        #expect(limits.excess(of: IPAddress("2001:db8:0:1::1"), at: time(0)) == nil)
        #expect(limits.excess(of: client, at: time(0)) == nil)
    }

    /// The kind of a question's admission, and the reservation if there is one.
    private func admission(
        _ principal: Principal?, _ seconds: Double
    ) throws(CallerRefusal) -> (kind: String, QuestionAdmission) {
        let admission = try limits.admitQuestion(
            of: principal, from: client, isExcessive: false, at: time(seconds))
        switch admission {
        case .free: return ("free", admission)
        case .reserved: return ("reserved", admission)
        case .queued: return ("queued", admission)
        }
    }

    @Test func `recent failures limit a principal's concurrent questions`() throws {
        for _ in 0..<20 { #expect(try admission(rider, 0).kind == "free") }
        limits.count(CallerRefusal(.notAllowed, "", rider), from: client, at: time(0))
        let (kind, first) = try admission(rider, 0)
        #expect(kind == "reserved")
        #expect(throws: CallerRefusal.self) { try admission(rider, 0) }
        first.end()
        #expect(try admission(rider, 0).kind == "reserved")
        #expect(throws: CallerRefusal.self) { try admission(rider, 9) }
        #expect(try admission(rider, 25).kind == "free")
    }

    @Test func `recent failures of an address have its questions take turns`() throws {
        for _ in 0..<20 { #expect(try admission(nil, 0).kind == "free") }
        limits.count(CallerRefusal(.invalidCredentials, ""), from: client, at: time(0))
        let (kind, first) = try admission(nil, 0)
        #expect(kind == "reserved")
        for _ in 0..<20 { #expect(try admission(nil, 0).kind == "queued") }
        first.end()
        #expect(try admission(nil, 0).kind == "reserved")
        #expect(try admission(nil, 25).kind == "free")
    }

    @Test func `a client without a known address is not limited by address`() {
        #expect(problems(20) { limits.excess(of: IPAddress?.none, at: time(0)) }.allSatisfy { $0 == nil })
        for _ in 0..<20 { limits.count(CallerRefusal(.invalidCredentials, ""), from: nil, at: time(0)) }
        #expect(limits.excessiveFailures(of: IPAddress?.none, at: time(0)) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", false), ("::1", "::1", false), ("192.0.2.1", "192.0.2.1", true),
        ("127.0.0.1", "192.0.2.1", true), ("127.0.0.1", "127.0.0.9", true), ("10.0.0.1", "127.0.0.1", true),
    ])
    func `a local peer is not counted, a forwarded loopback address is`(
        peer: String, client: String, isCounted: Bool
    ) throws {
        let counted = try withRequest([], peer: IPAddress(peer)) {
            ClientAddresses(forwarded: nil).counted(IPAddress(client), of: $0)
        }
        #expect(counted == (isCounted ? IPAddress(client) : nil))
    }

    @Test func `a principal has its own limit regardless of address`() {
        #expect(problems(3) { limits.excess(of: rider, at: time(0)) } == [nil, nil, .limited(retryAfter: 2)])
        let refusal = limits.excess(of: rider, at: time(1.5))
        #expect(refusal?.problem == .limited(retryAfter: 1))
        #expect(refusal?.reason == "too many requests of the principal")
        #expect(refusal?.principal?.name == "r")
        let namesake = Principal(name: "r", source: .apiKey(name: "r"), claims: nil, expiresAt: nil)
        #expect(limits.excess(of: namesake, at: time(0)) == nil)
        #expect(problems(9) { limits.excess(of: .anonymous, at: time(0)) }.allSatisfy { $0 == nil })
    }

    @Test func `invalid credentials count against the address, which is then limited`() {
        let refusal = CallerRefusal(.invalidCredentials, "the token is wrong")
        limits.count(refusal, from: client, at: time(0))
        #expect(limits.excessiveFailures(of: client, at: time(0)) == nil)
        limits.count(refusal, from: client, at: time(0))
        let excess = limits.excessiveFailures(of: client, at: time(0))
        #expect(excess?.problem == .limited(retryAfter: 10))
        #expect(excess?.reason == "too many failed authentications from its address")
        #expect(limits.excessiveFailures(of: IPAddress("192.0.2.2"), at: time(0)) == nil)
        #expect(limits.excessiveFailures(of: client, at: time(10)) == nil)
        // A check does not count as a request.
        #expect(limits.excessiveFailures(of: client, at: time(10)) == nil)
    }

    @Test func `denied tokens count against the principal, not the address`() {
        let refusal = CallerRefusal(.notAllowed, "no rule", rider)
        for _ in 0..<2 { limits.count(refusal, from: client, at: time(0)) }
        #expect(limits.excessiveFailures(of: client, at: time(0)) == nil)
        let excess = limits.excessiveFailures(of: rider, at: time(0))
        #expect(excess?.problem == .limited(retryAfter: 10))
        #expect(excess?.reason == "too many refused requests of the principal")
        #expect(excess?.principal?.name == "r")
    }

    @Test func `a caller without a name is limited by its address alone`() {
        let unnamed = Principal(name: "", source: .jwt(issuer: "i"), claims: nil, expiresAt: nil)
        #expect(problems(9) { limits.excess(of: unnamed, at: time(0)) }.allSatisfy { $0 == nil })
        let refusal = CallerRefusal(.notAllowed, "no rule", unnamed)
        for _ in 0..<20 { limits.count(refusal, from: client, at: time(0)) }
        #expect(limits.excessiveFailures(of: unnamed, at: time(0)) == nil)
        #expect(limits.excessiveFailures(of: client, at: time(0)) != nil)
        #expect(limits.excessiveFailures(of: IPAddress("192.0.2.2"), at: time(0)) == nil)
    }

    @Test func `refusals that are not the caller's fault are not counted`() {
        let others: [CallerProblem] = [
            .callerRequired(.server), .limited(retryAfter: 1), .checkUnavailable, .auditUnavailable,
        ]
        for problem in others {
            for _ in 0..<9 { limits.count(CallerRefusal(problem, "", rider), from: client, at: time(0)) }
        }
        #expect(limits.excessiveFailures(of: client, at: time(0)) == nil)
        #expect(limits.excessiveFailures(of: rider, at: time(0)) == nil)
    }

    @Test func `without limits nothing is limited`() {
        let none = RequestLimits.none
        for _ in 0..<500 { none.count(CallerRefusal(.invalidCredentials, ""), from: client, at: time(0)) }
        #expect(none.excessiveFailures(of: client, at: time(0)) == nil)
        #expect(none.excessiveFailures(of: rider, at: time(0)) == nil)
        #expect(problems(500) { none.excess(of: client, at: time(0)) }.allSatisfy { $0 == nil })
        #expect(problems(500) { none.excess(of: rider, at: time(0)) }.allSatisfy { $0 == nil })
    }
}
