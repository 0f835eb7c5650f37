import FleetEngineToken
import ServiceConfiguration

/// What names the credentials of a kind, and the account to sign as, for sentences.
struct CredentialsPlace: Sendable {
    /// What the settings name; a search finds something else.
    private let named: String?
    /// Such as `credentials in token-provider.yaml:3`; nil if `sign_as` implies the search.
    private let credentials: String?
    private let signAs: String?

    init(_ kind: TokenKind, _ resolver: ConfigurationResolver) {
        func place(_ keys: String...) -> String? {
            keys.lazy.compactMap { key in resolver.origin(of: key)?.phrase(key: key) }.first
        }
        let own = "kinds.\(kind.rawValue)"
        named = resolver.values.namedKeyFile(of: kind)
        credentials = place("\(own).key", "\(own).credentials", "credentials")
        signAs = place("\(own).sign_as", "sign_as")
    }

    /// For example: the file key.json (service_account), named by GOOGLE_APPLICATION_CREDENTIALS.
    func sentence(_ source: String, _ form: String) -> String {
        guard source != named else { return "\(source) (\(form)), named by \(credentials ?? "the settings")" }
        return
            "\(source) (\(form)), found by application_default, \(credentials.map { "as \($0) says" } ?? "the default")"
    }

    /// For example: driver@example.com, by sign_as in token-provider.yaml:4.
    func sentence(signingAs email: String) -> String { signAs.map { "\(email), by \($0)" } ?? email }
}
