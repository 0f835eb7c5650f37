import Foundation

/// A token and how long it may be handed out, counted from the request that brought it.
struct TokenLease: Sendable {
    /// No token of Fleet Engine is valid for longer, whatever an answer says.
    static let longest: TimeInterval = 3600

    private let token: FleetEngineAccessToken
    /// When it was requested.
    private let start: ClockReading
    /// Seconds from then until it may no longer be handed out.
    private let usable: TimeInterval
    /// Seconds from then until the next one should be fetched.
    private let renewal: TimeInterval

    /// A token to replace at `expiration`; `answered` is the server's own clock (`Date`). Both are seconds since
    /// the epoch. Nil if no time is left. Without the server's clock, the device's must do.
    ///
    /// Renewal begins when 30 % of the time is left, or 5 minutes if that is less, and up to a tenth of the time
    /// earlier by lot. With the server's margin, a token then has the five minutes left that Google's SDKs ask for.
    init?(
        _ string: String, kind: FleetEngineTokenKind, expiration: TimeInterval, answered: TimeInterval?,
        requested start: ClockReading, random: Double
    ) {
        // The field Date has whole seconds: the server's clock may have shown almost one more.
        let served = answered.map { $0 + 1 } ?? start.wall
        let usable = min(expiration - served, Self.longest)
        guard usable > 0 else { return nil }
        self.start = start
        self.usable = usable
        renewal = usable - min(usable * 0.3, 300) - usable * 0.1 * random
        token = FleetEngineAccessToken(
            string: string, expiry: Date(timeIntervalSince1970: start.wall + usable), kind: kind)
    }

    /// Seconds until it may no longer be handed out.
    func secondsLeft(at now: ClockReading) -> TimeInterval { usable - now.seconds(since: start) }

    /// Seconds until the next one should be fetched; negative after that.
    func secondsToRenewal(at now: ClockReading) -> TimeInterval { renewal - now.seconds(since: start) }

    /// Seconds to wait after the renewal failed.
    var renewalPause: TimeInterval { max(1, (usable - renewal) / 5) }

    /// The token, if it may still be handed out.
    func token(at now: ClockReading) -> FleetEngineAccessToken? {
        guard secondsLeft(at: now) > 0 else { return nil }
        let setBack = now.setBack(since: start)
        return setBack == 0 ? token : token.moved(by: setBack)
    }
}
