/// A type whose content is secret: descriptions, reflection and `dump` show its `description` alone, which names nothing
/// secret.
package protocol HiddenContent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension HiddenContent {
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A text that no description shows.
package struct Secret: Sendable, HiddenContent {
    /// The text, for the one place that sends it.
    package let value: String

    package init(_ value: String) { self.value = value }

    package var description: String { "(hidden)" }
}

extension CredentialsFile: HiddenContent {
    package var description: String {
        switch self {
        case .serviceAccount(let file): file.description
        case .authorizedUser(let user): user.description
        case .externalAccount(let account): account.description
        case .impersonatedServiceAccount(let target): target.description
        }
    }
}

extension ServiceAccountFile: HiddenContent {
    package var description: String { "service_account \(account)" }
}

extension AuthorizedUser: HiddenContent {
    package var description: String { "authorized_user" }
}

extension ExternalAccount: HiddenContent {
    package var description: String {
        "external_account with a token from \(source)" + (impersonatedAccount.map { ", as \($0)" } ?? "")
    }
}

extension ExternalAccount.ClientCredentials: HiddenContent {
    package var description: String { "a client with a secret" }
}

extension ExternalAccount.SubjectTokenSource: HiddenContent {
    package var description: String {
        switch self {
        case .file(let path, _): "the file \(path)"
        case .url(let url, _, _): url.endpoint
        case .aws(let source): source.description
        }
    }
}

extension ExternalAccount.AWSSource: HiddenContent {
    package var description: String { "AWS" }
}

extension ImpersonatedServiceAccount: HiddenContent {
    package var description: String { "impersonated_service_account \(account), from \(source)" }
}
