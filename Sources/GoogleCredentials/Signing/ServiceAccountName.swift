import FleetEngineToken

/// A service account as IAM Credentials names it; valid once it exists.
struct ServiceAccountName: Hashable, Sendable {
    private static let resourcePrefix = "projects/-/serviceAccounts/"

    let email: String

    /// Throws unless the text is the account's e-mail address, or its resource name, as delegates may be written.
    init(_ text: String) throws(RemoteSigningError) {
        let email = text.hasPrefix(Self.resourcePrefix) ? text.dropFirst(Self.resourcePrefix.count) : text[...]
        guard let valid = ServiceAccountEmail(String(email)) else {
            throw RemoteSigningError(
                reason: "the account \(ReceivedText.quoted(text)) is not a service account's e-mail address; "
                    + "expected NAME@PROJECT.iam.gserviceaccount.com", retryAfter: nil,
                Remedy("correct the account in sign_as or delegates"))
        }
        self.email = valid.text
    }

    /// The account's resource name with the wildcard that IAM Credentials requires for the project.
    var resource: String { Self.resourcePrefix + email }
}
