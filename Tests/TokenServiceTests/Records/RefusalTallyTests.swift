@testable import CallerAccess
@testable import HTTPServer
import TestSupport
import Testing

@testable import AuditLog
@testable import TokenService

/// Counting of equal refusals, at times that a test chooses.
@Suite struct RefusalTallyTests {
    private static let limited = ("too_many_requests", "too many requests from its address")
    private static let noCredentials = ("unauthenticated", "nothing was shown")
    private static let rider = Principal(name: "rider", source: .apiKey(name: "rider"), claims: nil, expiresAt: nil)

    private var tally = RefusalTally(interval: 100, maxEntries: 4, maxSeparate: 50)

    private static func refusal(
        _ address: String, _ outcome: AuditRecord.Outcome = .limited, _ refusal: (String, String) = limited,
        of principal: Principal? = nil
    ) -> RepeatedRefusal? {
        RepeatedRefusal(outcome, refusal, of: principal, from: IPAddress(address))
    }

    /// Counts a refusal `times` times, and returns how many of them are recorded one by one.
    private mutating func take(_ refusal: RepeatedRefusal?, _ times: Int = 1, at now: UInt64) throws -> Int {
        let refusal = try #require(refusal)
        return (1...times).count { _ in tally.count(refusal, of: nil, at: now).isSeparate }
    }

    @Test mutating func `the first refusal is recorded; later ones are counted per interval`() throws {
        let refusal = try #require(Self.refusal("192.0.2.1"))
        #expect(tally.count(refusal, of: nil, at: 10) == .init(isSeparate: true, intervalEnd: 110))
        #expect(tally.count(refusal, of: nil, at: 11) == .init(isSeparate: false, intervalEnd: nil))
        #expect(try take(refusal, 998, at: 50) == 0)
        #expect(tally.endInterval(at: 109).intervalEnd == 110, "the interval has not ended")
        var (sums, next) = tally.endInterval(at: 110)
        #expect(sums.map(\.count) == [999])
        #expect(next == 210)
        #expect(try take(refusal, 5, at: 120) == 0, "the flood goes on")
        (sums, next) = tally.endInterval(at: 210)
        #expect(sums.map(\.count) == [5])
        (sums, next) = tally.endInterval(at: 310)
        #expect(sums.isEmpty && next == nil, "no caller is counted any more")
        #expect(tally.count(refusal, of: nil, at: 400) == .init(isSeparate: true, intervalEnd: 500))
        (sums, next) = tally.endInterval(at: 500)
        #expect(sums.isEmpty && next == nil, "a single refusal has no sum")
    }

    @Test mutating func `callers and reasons are counted apart, addresses of one IPv6 network together`() throws {
        tally = RefusalTally(interval: 100, maxEntries: 40, maxSeparate: 50)
        let others = ("too_many_requests", "too many failed authentications from its address")
        for refusal in [
            Self.refusal("192.0.2.1"), Self.refusal("192.0.2.2"), Self.refusal("2001:db8::1"),
            Self.refusal("2001:db8:0:1::1"), Self.refusal("192.0.2.1", .limited, others),
            Self.refusal("192.0.2.1", of: Self.rider),
        ] {
            #expect(try take(refusal, at: 1) == 1)
            #expect(try take(refusal, at: 1) == 0)
        }
        #expect(try take(Self.refusal("2001:db8::ffff:2"), at: 1) == 0)
        #expect(try take(Self.refusal("192.0.2.9", of: Self.rider), at: 1) == 0, "from any address")
    }

    @Test mutating func `unauthenticated refusals are recorded up to a limit, authenticated ones always`() throws {
        let refusal = Self.refusal("192.0.2.1", .unauthenticated, Self.noCredentials)
        #expect(try take(refusal, 100, at: 1) == 32)
        #expect(tally.endInterval(at: 101).sums.map(\.count) == [68])
        #expect(try take(refusal, 25, at: 150) == 0)
        #expect(tally.endInterval(at: 201).sums.map(\.count) == [25])
        #expect(tally.endInterval(at: 301).intervalEnd == nil)
        #expect(try take(refusal, 25, at: 400) == 25)
        #expect(Self.refusal("192.0.2.1", .denied, ("not_allowed", "no rule"), of: Self.rider) == nil)
        #expect(Self.refusal("192.0.2.1", .failed, ("invalid_id", "it is wrong"), of: .anonymous) != nil)
    }

    @Test mutating func `beyond the limits, callers are merged and records only counted`() throws {
        for number in 1...4 { #expect(try take(Self.refusal("192.0.2.\(number)"), at: 1) == 1) }
        for number in 5...250 { #expect(try take(Self.refusal("192.0.2.\(number)"), 2, at: 1) == 0) }
        let sums = tally.endInterval(at: 101).sums
        #expect(sums.map(\.count) == [492])
        #expect(sums.map(\.refusal.caller) == [.others])
        // Callers without new refusals were removed.
        let many = try (1...3).map {
            try take(Self.refusal("198.51.100.\($0)", .failed, Self.noCredentials), 30, at: 150)
        }
        #expect(many == [30, 20, 0])
        #expect(tally.endInterval(at: 201).sums.reduce(0) { $0 + $1.count } == 40)
    }

    @Test mutating func `sums taken before the interval ends are reported once`() throws {
        let refusal = Self.refusal("192.0.2.1")
        #expect(try take(refusal, 10, at: 1) == 1)
        #expect(tally.takeSums().map(\.count) == [9])
        #expect(tally.takeSums().isEmpty)
        #expect(try take(refusal, 3, at: 2) == 0)
        #expect(tally.endInterval(at: 101).sums.map(\.count) == [3])
    }

    @Test mutating func `a counted caller is named without holding its token's claims`() throws {
        weak var held: Principal?
        do {
            let principal = Principal(
                name: "rider-7", source: .jwt(issuer: "https://id.example"), claims: ["trips": .array([])],
                expiresAt: nil)
            held = principal
            let refusal = try #require(Self.refusal("192.0.2.1", of: principal))
            for _ in 0..<2 { _ = tally.count(refusal, of: principal, at: 1) }
        }
        #expect(held == nil)
        let caller = tally.endInterval(at: 101).sums.first?.principal
        #expect(caller?.name == "rider-7" && caller?.source == "jwt https://id.example")
    }

    @Test func `a summed record keeps what its refusals share; the verifier adds counts`() throws {
        let unix = RepeatedRefusal(.unauthenticated, Self.noCredentials, of: nil, from: nil)
        let sums: [(RepeatedRefusal?, RefusalTally.Caller?, [String: String])] = [
            (Self.refusal("192.0.2.1"), nil, ["peer": "192.0.2.1", "reason": Self.limited.1]),
            (Self.refusal("2001:db8::1"), nil, ["peer": "2001:db8::/64"]),
            (
                Self.refusal("192.0.2.1", of: Self.rider), ("rider", "api_key"),
                ["principal": "rider", "source": "api_key"]
            ),
            (unix, nil, ["peer": "unix", "reason": Self.noCredentials.1]),
            (Self.refusal("192.0.2.1")?.ofOthers, nil, [:]),
        ]
        var batch = AuditBatch(after: .beginning, closesLine: false)
        batch.append(AuditNote(event: .opened).lineStart())
        for (refusal, principal, expected) in sums {
            let refusal = try #require(refusal)
            let record = AuditRecord(RefusalTally.Sum(refusal: refusal, count: 4711, principal: principal))
            batch.append(record.opening())
            let members = try object(AuditChain.beginning.next(record.opening()).line)
            #expect(members["count"] as? Int == 4711)
            #expect(members["outcome"] as? String == refusal.outcome.rawValue)
            #expect(members["request_id"] == nil)
            for name in ["peer", "principal", "source"] {
                #expect(members[name] as? String == expected[name])
            }
            if let reason = expected["reason"] { #expect(members["reason"] as? String == reason) }
        }
        batch.append(AuditRecord(.denied, requestID: "request-1", peer: nil).opening())
        var verifier = AuditVerifier(expecting: [])
        verifier.begin("audit")
        verifier.read(batch.bytes)
        let result = verifier.finish()
        #expect(result.fault == nil)
        #expect(result.counted == 5 * 4711)
        #expect(result.text.contains("\nrefusals without a line of their own: 23555\n"))
    }
}
