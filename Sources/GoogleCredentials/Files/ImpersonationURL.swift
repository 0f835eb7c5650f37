import HTTPClient

/// The URL of `generateAccessToken` of an account (IAM Credentials API), checked.
struct ImpersonationURL {
    /// The member of a file that holds it.
    static let member = "service_account_impersonation_url"
    /// The form of its path.
    static let form = "\(prefix)EMAIL\(suffix)"

    private static let prefix = "/v1/projects/-/serviceAccounts/"
    private static let suffix = ":generateAccessToken"

    let url: OutgoingURL
    /// The account's e-mail address.
    let account: String

    /// Nil if the URL's path has another form.
    init?(_ url: OutgoingURL) {
        let path = url.target
        guard path.hasPrefix(Self.prefix), path.hasSuffix(Self.suffix) else { return nil }
        let email = String(path.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
        guard let name = try? ServiceAccountName(email), name.email == email else { return nil }
        self.url = url
        account = email
    }
}
