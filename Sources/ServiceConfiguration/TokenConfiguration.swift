extension Configuration {
    /// What every token says and how long it lives; times are in seconds.
    package struct Token: Sendable, Equatable {
        /// The `aud` claim.
        package var audience = Token.fleetEngineAudience
        /// `exp - iat`; Fleet Engine refuses an `exp` more than an hour ahead.
        package var lifetime: Int64 = 3600
        /// How far `iat` lies before the time of signing, against clocks that run fast.
        package var backdate: Int64 = 300
        /// How much earlier than `exp` clients are told that the token ends.
        package var clientMargin: Int64 = 60

        /// The audience that Fleet Engine expects, with its last slash.
        package static let fleetEngineAudience = "https://fleetengine.googleapis.com/"

        /// How long a new token may be used by a client: less than nothing when the values contradict each other.
        package var usableSeconds: Int64 { lifetime - backdate - clientMargin }
    }

    /// How long tokens are kept for further requests.
    package struct Cache: Sendable, Equatable {
        /// A token is given out again while at least this part of its lifetime is left.
        package var reuseFraction = 0.5
        /// The bytes that kept tokens may take.
        package var maxBytes = 64 << 20
    }
}
