import FleetEngineToken
import GoogleCredentials
import Testing

@testable import TokenProvider

/// What readiness says while the tokens of some kinds are not signed.
@Suite struct SigningOutagesTests {
    private let now: Int64 = 1_769_850_300
    private let google = ProbeFailure("Google is down", Remedy("wait"))
    private let slot = ProbeFailure("key 1: the token is away", Remedy("insert it"))

    private func outages(
        _ failing: [TokenKind: ProbeFailure], among served: [TokenKind] = [.consumer, .driver],
        cached ends: [TokenKind: Int64] = [:]
    ) -> SigningOutages? {
        SigningOutages(failing, among: served, at: now) { ends[$0] }
    }

    @Test func `without a failure there is nothing to say`() {
        #expect(outages([:]) == nil)
    }

    @Test func `nothing signed and nothing cached is a total outage`() throws {
        let found = try #require(outages([.consumer: google, .driver: google], cached: [.driver: now]))
        #expect(found.areTotal && found.reason == "Google is down")
        #expect(found.failures == [google])
    }

    @Test func `cached tokens of all kinds last until one time`() throws {
        let end = now + 60
        let found = try #require(
            outages([.consumer: google, .driver: google], cached: [.consumer: end, .driver: end]))
        #expect(!found.areTotal)
        #expect(found.sentence == "Google is down; cached tokens last until 2026-01-31T09:06:00Z at most")
    }

    @Test func `each kind has its own time`() throws {
        let found = try #require(
            outages([.consumer: google, .driver: slot], cached: [.consumer: now + 60, .driver: now + 120]))
        #expect(
            found.sentence == "Google is down; key 1: the token is away; cached consumer tokens last until "
                + "2026-01-31T09:06:00Z at most; cached driver tokens last until 2026-01-31T09:07:00Z at most")
        #expect(found.failures == [google, slot])
    }

    @Test func `other accounts' cached tokens do not hide an outage`() throws {
        let found = try #require(outages([.driver: google], cached: [.consumer: now + 60]))
        #expect(found.sentence == "Google is down; no driver token is cached; consumer tokens are signed")
        #expect(!found.areTotal)
    }

    @Test func `a kind that is not served counts for nothing`() throws {
        let found = try #require(outages([.driver: google], among: [.driver]))
        #expect(found.areTotal && found.sentence == "Google is down; no token is cached")
        #expect(outages([.consumer: google], among: [.driver]) == nil)
    }
}
