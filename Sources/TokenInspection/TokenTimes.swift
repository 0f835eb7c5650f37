/// The times of a token in seconds since the epoch, as its author meant them even if they are written wrongly.
package struct TokenTimes: Hashable, Sendable {
    /// `iat`; nil if there is none.
    package let issuedAt: Int64?
    /// `nbf`; nil if there is none.
    package let notBefore: Int64?
    /// `exp`; nil if there is none.
    package let expiresAt: Int64?
    /// When the token was inspected.
    package let now: Int64

    /// For example `expires in 12 min`; nil if the end is unknown.
    package var phrase: String? {
        expiresAt.map { end in
            end > now ? "expires in \(RelativeTime.span(end - now))" : "expired \(RelativeTime.span(now - end)) ago"
        }
    }
}

/// A span of time in the largest unit that fits into it.
package enum RelativeTime {
    private static let units: [(seconds: UInt64, name: String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]

    /// For example `12 min`, of so many seconds in either direction.
    package static func span(_ seconds: Int64) -> String {
        let count = seconds.magnitude
        let unit = units.first { count >= $0.seconds } ?? (1, "s")
        return "\(count / unit.seconds) \(unit.name)"
    }
}
