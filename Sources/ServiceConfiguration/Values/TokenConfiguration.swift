extension Configuration {
    /// What every token says and how long it lives; times are in seconds.
    package struct Token: Sendable, Equatable {
        /// The `aud` claim.
        package var audience = Token.fleetEngineAudience
        /// `exp - iat`; Fleet Engine refuses an `exp` more than an hour ahead.
        package var lifetime: Int64 = 3600
        /// How far `iat` precedes the time of signing, for clocks that run fast.
        package var backdate: Int64 = 300
        /// How far the expiry in an answer precedes `exp`.
        package var clientMargin: Int64 = 60

        /// The audience that Fleet Engine expects, with its last slash.
        package static let fleetEngineAudience = "https://fleetengine.googleapis.com/"

        /// How long a client may use a new token; not positive if the values contradict each other.
        package var usableSeconds: Int64 { lifetime - backdate - clientMargin }
    }

    /// How long tokens are cached for further requests.
    package struct Cache: Sendable, Equatable {
        /// A cached token is reused while at least this part of its lifetime remains.
        package var reuseFraction = 0.5
        /// The memory for cached tokens, in bytes.
        package var maxBytes = 64 << 20
    }
}
