import FleetEngineToken
import Testing

@testable import GoogleCredentials

struct SigningQuotaTests {
    /// Ten signatures a second and a burst of a hundred.
    private func quota() -> SigningQuota {
        SigningQuota(signaturesPerMinute: 1400, share: 0.5, at: .zero)
    }

    @Test func `the share decides rate and burst`() {
        let quota = quota()
        #expect(quota.perSecond == 10)
        #expect(quota.burst == 100)
        #expect(quota.available(at: .zero) == 100)
    }

    @Test func `no minute has more signatures than the share`() {
        for start in [0, 25, 3600] {
            var quota = quota()
            var taken = 0
            for tenth in 0..<600 {
                while quota.take(.request, at: .seconds(start) + .milliseconds(100 * tenth)) == nil { taken += 1 }
            }
            #expect((690...700).contains(taken), "\(taken)")
        }
    }

    @Test func `refused requests are promised one after another`() {
        var quota = quota()
        for _ in 0..<100 { #expect(quota.take(.request, at: .zero) == nil) }
        let waits = (0..<30).compactMap { _ in quota.take(.request, at: .zero) }
        #expect(waits.first.map { $0.wholeSeconds } == 1)
        #expect(waits.last.map { $0.wholeSeconds } == 3)
        for _ in 0..<10_000 { _ = quota.take(.request, at: .zero) }
        #expect(quota.take(.request, at: .zero) == .seconds(60))
        #expect(quota.take(.request, at: .seconds(1)) == nil)
    }

    @Test func `refreshes leave a fifth of the bucket to requests`() {
        var quota = quota()
        var refreshes = 0
        while quota.take(.refresh, at: .zero) == nil { refreshes += 1 }
        #expect(refreshes == 80)
        #expect(quota.take(.refresh, at: .zero) == .milliseconds(100))
        for _ in 0..<20 { #expect(quota.take(.request, at: .zero) == nil) }
        #expect(quota.take(.refresh, at: .zero).map { $0 > .seconds(2) } == true)
    }

    @Test func `the smallest share still allows a refresh`() {
        var quota = SigningQuota(signaturesPerMinute: 1, share: 0.01, at: .zero)
        #expect(quota.take(.refresh, at: .zero) == nil)
        #expect(quota.take(.refresh, at: .zero).map { $0 > .seconds(6000) } == true)
    }

    @Test func `an exhausted quota waits for a minute at most`() {
        var quota = quota()
        quota.exhaust(for: .seconds(3600), at: .zero)
        #expect(quota.take(.request, at: .milliseconds(59_900)).map { $0.wholeSeconds } == 1)
        #expect(quota.take(.request, at: .milliseconds(60_150)) == nil)
    }

    @Test func `an exhausted quota waits as long as Google says`() {
        var quota = quota()
        quota.exhaust(for: .seconds(30), at: .zero)
        #expect(quota.take(.request, at: .seconds(1)).map { $0.wholeSeconds } == 30)
        #expect(quota.take(.request, at: .milliseconds(30_050)) != nil)
        #expect(quota.take(.request, at: .milliseconds(30_150)) == nil)
        #expect(quota.available(at: .seconds(100)) == 100)
    }

    @Test func `another quota goes on with what is left`() {
        var quota = quota()
        for _ in 0..<70 { #expect(quota.take(.request, at: .zero) == nil) }
        quota.change(to: SigningQuota(signaturesPerMinute: 2800, share: 1, at: .zero), at: .seconds(1))
        #expect(quota.available(at: .seconds(1)) == 40)
        #expect(quota.available(at: .seconds(2)) == 80)
        quota.change(to: SigningQuota(signaturesPerMinute: 140, share: 1, at: .zero), at: .seconds(2))
        #expect(quota.available(at: .seconds(100)) == 20)
        quota.exhaust(for: .seconds(30), at: .seconds(100))
        quota.change(to: self.quota(), at: .seconds(101))
        #expect(quota.take(.request, at: .seconds(101)).map { $0.wholeSeconds } == 30)
    }

    @Test func `time that goes back takes nothing and gives nothing`() {
        var quota = quota()
        for _ in 0..<100 { _ = quota.take(.request, at: .seconds(10)) }
        #expect(quota.take(.request, at: .zero) != nil)
        #expect(quota.available(at: .seconds(11)) == 10)
    }
}
