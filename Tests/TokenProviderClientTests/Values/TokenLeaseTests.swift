import Foundation
import Testing

@testable import TokenProviderClient

@Suite struct TokenLeaseTests {
    private let start = ClockReading(wall: 1_800_000_000, monotonic: 1000)

    private func grant(
        until seconds: TimeInterval, answered: TimeInterval? = 0, ahead: TimeInterval = 0, random: Double = 0
    ) -> TokenLease? {
        TokenLease(
            "a.b.c", kind: .driver, expiration: start.wall + ahead + seconds,
            answered: answered.map { start.wall + ahead + $0 }, requested: start, random: random)
    }

    private func after(_ seconds: TimeInterval, wall: TimeInterval? = nil) -> ClockReading {
        ClockReading(wall: start.wall + (wall ?? seconds), monotonic: start.monotonic + seconds)
    }

    @Test func `a token ends a second early, since Date has whole seconds`() throws {
        let lease = try #require(grant(until: 100))
        #expect(lease.token(at: after(98.9))?.string == "a.b.c")
        #expect(lease.token(at: after(99)) == nil)
    }

    @Test(arguments: [-86_400, 0, 86_400]) func `a wrong device clock changes nothing`(ahead: TimeInterval) throws {
        let lease = try #require(grant(until: 100, ahead: ahead))
        let token = try #require(lease.token(at: after(98)))
        #expect(lease.token(at: after(99)) == nil)
        // The expiry is what the device's own clock will show.
        #expect(token.expiry == Date(timeIntervalSince1970: start.wall + 99))
    }

    @Test func `without Date the device's clock must do`() throws {
        #expect(try #require(grant(until: 100, answered: nil)).secondsLeft(at: after(0)) == 100)
        #expect(grant(until: 0, answered: nil) == nil)
    }

    @Test func `no token is kept for more than an hour`() throws {
        #expect(try #require(grant(until: 1_800_000_000)).secondsLeft(at: after(0)) == 3600)
    }

    @Test(arguments: [1, 0.5, 0, -5]) func `a token without time left is none`(seconds: TimeInterval) {
        #expect(grant(until: seconds) == nil)
    }

    @Test func `the token ends by the clock that went further`() throws {
        let lease = try #require(grant(until: 100))
        // Set forward, or the monotonic clock stood still while the device slept.
        #expect(lease.token(at: after(10, wall: 99)) == nil)
        // Set back.
        #expect(lease.token(at: after(99, wall: -3600)) == nil)
        #expect(lease.token(at: after(98, wall: -3600)) != nil)
    }

    @Test func `the expiry follows a clock that was set back`() throws {
        let lease = try #require(grant(until: 100))
        let token = try #require(lease.token(at: after(10, wall: -3590)))
        #expect(token.expiry == Date(timeIntervalSince1970: start.wall + 99 - 3600))
        // A clock that is adjusted by less than a second does not change the token.
        #expect(lease.token(at: after(10, wall: 9.2)) == lease.token(at: after(10)))
    }

    @Test(arguments: [1.0, 4, 60, 899, 1620, 3539])
    func `renewal begins with a share of the time left`(usable: TimeInterval) throws {
        let early = try #require(grant(until: usable + 1, random: 0.999_999))
        let late = try #require(grant(until: usable + 1, random: 0))
        let least = min(usable * 0.3, 300)
        #expect(abs(usable - late.secondsToRenewal(at: after(0)) - least) < 0.001)
        #expect(abs(usable - early.secondsToRenewal(at: after(0)) - least - usable / 10) < 0.001)
    }

    @Test func `a usual token is renewed with Google's five minutes left`() throws {
        // An hour that began five minutes ago; the server's margin is a minute.
        let lease = try #require(grant(until: 3600 - 300 - 60))
        let renewed = after(lease.secondsToRenewal(at: after(0)))
        #expect(lease.secondsLeft(at: renewed) + 60 >= 300)
    }
}
