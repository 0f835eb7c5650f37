import HTTPClient

extension Configuration {
    /// The value of `credentials` that means a search (AIP-4110) instead of a file.
    package static let applicationDefault = "application_default"

    /// Google's endpoints, which Private Service Connect and other universe domains change.
    package struct Google: Sendable, Equatable {
        /// The domain of Google's services, `googleapis.com` for all but sovereign clouds.
        package var universeDomain = "googleapis.com"
        /// IAM Credentials; nil for that of the universe domain.
        package var iamCredentials: OutgoingURL?
        /// Where accounts' public keys are published; nil for that of the universe domain.
        package var keys: OutgoingURL?
    }

    /// The quota of signatures that Google makes.
    package struct Signing: Sendable, Equatable {
        /// Signatures a minute that the project may have.
        package var quota = 60_000
        /// The part of them that this daemon may use, up to 1.
        package var quotaShare = 1.0
    }
}
