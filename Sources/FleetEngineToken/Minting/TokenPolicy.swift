/// The audience and the validity period of tokens; valid once it exists.
package struct TokenPolicy: Hashable, Sendable {
    /// The `aud` claim Fleet Engine expects: one string, with the trailing slash.
    package static let fleetEngineAudience = "https://fleetengine.googleapis.com/"
    /// The longest lifetime in seconds: Fleet Engine refuses an `exp` more than one hour ahead (FleetEngineContract.md,
    /// "The token").
    package static let maxLifetime: Int64 = 3600
    /// The most seconds of backdating. Fleet Engine tolerates a clock difference of about ten minutes in `iat`.
    package static let maxBackdate: Int64 = 600

    /// The `aud` claim (RFC 7519 section 4.1.3).
    package let audience: String
    /// Seconds from `iat` to `exp`; AIP-4111 expects 3600.
    package let lifetime: Int64
    /// Seconds by which `iat` and `exp` are set back, so that `exp` is within the hour even if our clock is ahead.
    package let backdate: Int64

    /// Seconds for which a token is valid after it is signed.
    package var service: Int64 { lifetime - backdate }

    /// A policy within Fleet Engine's limits. The defaults are Google's; times are in seconds.
    package init(
        audience: String = fleetEngineAudience, lifetime: Int64 = 3600, backdate: Int64 = 300
    ) throws(TokenPolicyError) {
        guard !audience.isEmpty else { throw .emptyAudience }
        guard (1...Self.maxLifetime).contains(lifetime) else { throw .lifetimeOutOfRange(lifetime) }
        guard (0...Self.maxBackdate).contains(backdate) else { throw .backdateOutOfRange(backdate) }
        guard backdate < lifetime else { throw .expiredAtBirth(lifetime: lifetime, backdate: backdate) }
        (self.audience, self.lifetime, self.backdate) = (audience, lifetime, backdate)
    }
}

/// Why a policy would make tokens that Fleet Engine refuses; times are in seconds.
package enum TokenPolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    case emptyAudience
    /// The lifetime is not within 1 to 3600 seconds.
    case lifetimeOutOfRange(Int64)
    /// The back-dating is not within 0 to 600 seconds.
    case backdateOutOfRange(Int64)
    /// The token would have expired when it was signed.
    case expiredAtBirth(lifetime: Int64, backdate: Int64)

    /// One sentence: what was wrong and what was expected.
    package var sentence: String {
        switch self {
        case .emptyAudience:
            "the audience is empty; expected a URL such as \(TokenPolicy.fleetEngineAudience)"
        case .lifetimeOutOfRange(let seconds):
            "the lifetime is \(seconds) s; expected 1 to \(TokenPolicy.maxLifetime) s"
        case .backdateOutOfRange(let seconds):
            "the back-dating is \(seconds) s; expected 0 to \(TokenPolicy.maxBackdate) s"
        case .expiredAtBirth(let lifetime, let backdate):
            "tokens that live \(lifetime) s are back-dated by \(backdate) s; expected less than they live"
        }
    }

    package var description: String { sentence }
}
