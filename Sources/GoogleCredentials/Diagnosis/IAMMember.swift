import StrictJSON

/// Who asks Google with some credentials, as IAM policies name it ("Principal identifiers" in IAM's documentation).
package enum IAMMember: Hashable, Sendable {
    case serviceAccount(String)
    /// A person, whom the file of credentials does not name.
    case person
    /// A federated identity of this pool, such as `projects/1/locations/global/workloadIdentityPools/p`.
    case federated(pool: String)
    /// The account of a machine that did not tell its name.
    case machine

    /// The value of gcloud's flag `--member`, ready for a shell. Words in capital letters are to be replaced.
    var argument: String {
        switch self {
        case .serviceAccount(let email): "serviceAccount:\(email)"
        case .person: "\"user:$(gcloud config get-value account)\""
        case .federated(let pool): "principal://iam.googleapis.com/\(pool)/subject/SUBJECT"
        case .machine: "serviceAccount:MACHINE_ACCOUNT"
        }
    }

    /// The member in a sentence.
    package var phrase: String {
        switch self {
        case .serviceAccount(let email): email
        case .person: "the person who logged in"
        case .federated(let pool): "an identity of the pool \(pool.split(separator: "/").last ?? "")"
        case .machine: "the machine's account"
        }
    }
}

extension IAMMember {
    /// Who asks with these credentials. `machine` is the account that a metadata server told; nil if it was not asked
    /// or did not tell.
    package init(_ credentials: AccessCredentials, machine: String?) {
        switch credentials {
        case .metadataServer: self = machine.map(Self.serviceAccount) ?? .machine
        case .file(let file): self.init(file)
        }
    }

    /// Who has the access tokens of these credentials.
    init(_ file: CredentialsFile) {
        switch file {
        case .serviceAccount(let key): self = .serviceAccount(key.account)
        case .authorizedUser: self = .person
        case .impersonatedServiceAccount(let target): self = .serviceAccount(target.account)
        case .externalAccount(let external):
            self = external.impersonatedAccount.map(Self.serviceAccount) ?? Self(federated: external)
        }
    }

    /// Who presents the subject token of an external account.
    init(federated external: ExternalAccount) {
        self = .federated(pool: IdentityProvider(external)?.pool ?? "POOL")
    }
}

/// The provider of a pool that an external account's audience names, `//iam.googleapis.com/POOL/providers/PROVIDER`.
struct IdentityProvider {
    /// The pool's resource name.
    let pool: String
    /// The provider's resource name.
    let resource: String

    /// Nil for another audience, and for one that a shell would not take as it is.
    init?(_ external: ExternalAccount) {
        let parts = external.audience.split(separator: "/", omittingEmptySubsequences: false)
        guard external.audience.utf8.allSatisfy({ $0.isAlphanumeric(or: "/.-_:") }), parts.count > 5, parts[0].isEmpty,
            parts[1].isEmpty,
            parts[parts.count - 2] == "providers"
        else { return nil }
        pool = parts[3...].dropLast(2).joined(separator: "/")
        resource = parts[3...].joined(separator: "/")
    }

    /// The command that shows the provider.
    var description: String {
        let group = pool.contains("/workforcePools/") ? "workforce-pools" : "workload-identity-pools"
        return GcloudCommand.text(["iam", group, "providers", "describe", resource])
    }
}
