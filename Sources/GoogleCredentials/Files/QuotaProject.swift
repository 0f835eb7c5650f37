import HTTPClient
import OpenSSLSigner
import StrictJSON

/// The project whose quota a call to Google uses and that is charged for it, where the credentials name one.
package struct QuotaProject: Hashable, Sendable {
    /// The member of a file that names it.
    static let member = "quota_project_id"
    /// The variable that replaces the project of any credentials, as in Google's clients.
    package static let variable = "GOOGLE_CLOUD_QUOTA_PROJECT"
    private static let problem = "is not the id of a project; expected one such as my-fleet"

    /// Such as `my-fleet`, `example.com:my-fleet` or `123456789`.
    package let id: String
    /// The field that names it in a request.
    let field: HTTPClientField

    /// Nil if the text is not the id of a project.
    init?(_ id: String) {
        guard !id.isEmpty, id.utf8.allSatisfy({ $0.isAlphanumeric(or: "-.:") }),
            let field = try? HTTPClientField("x-goog-user-project", id)
        else { return nil }
        (self.id, self.field) = (id, field)
    }

    /// The project in these members of a file; nil if they name none.
    static func named(in members: CredentialMembers) throws(CredentialError) -> QuotaProject? {
        guard let id = try members.optionalText(member) else { return nil }
        guard let project = QuotaProject(id) else { throw members.error(member, problem) }
        return project
    }

    /// The project that the environment names; nil if it names none.
    static func named(in environment: [String: String]) throws(CredentialError) -> QuotaProject? {
        guard let id = environment[variable], !id.isEmpty else { return nil }
        guard let project = QuotaProject(id) else {
            throw CredentialError(source: variable, field: nil, problem: problem)
        }
        return project
    }
}

extension CredentialsFile {
    /// The project that the file names. Google's clients ignore it in a service account's key, whose calls use the
    /// account's own project.
    var quotaProject: QuotaProject? {
        switch self {
        case .serviceAccount: nil
        case .authorizedUser(let user): user.quotaProject
        case .externalAccount(let account): account.quotaProject
        case .impersonatedServiceAccount(let target): target.quotaProject
        }
    }
}

extension AccessCredentials {
    /// The project of calls with these access tokens: the one of the environment, or else of the file; nil for the
    /// account's own.
    package func quotaProject(_ environment: [String: String]) throws(CredentialError) -> QuotaProject? {
        if let project = try QuotaProject.named(in: environment) { return project }
        return if case .file(let file) = self { file.quotaProject } else { nil }
    }
}
