/// Commands of Google's `gcloud` (Google Cloud SDK) that change or show what a diagnosis found.
enum GcloudCommand {
    private static let projectDomain = ".iam.gserviceaccount.com"
    private static let appEngineDomain = "appspot.gserviceaccount.com"

    /// Grants a role on a service account.
    static func grant(_ role: String, on account: String, to member: IAMMember) -> String {
        text(
            ["iam", "service-accounts", "add-iam-policy-binding", account], "--role=\(role)",
            "--member=\(member.argument)", project(of: account))
    }

    /// Grants a role on a project.
    static func grant(_ role: String, inProject project: String, to member: IAMMember) -> String {
        text(["projects", "add-iam-policy-binding", project], "--role=\(role)", "--member=\(member.argument)")
    }

    /// Turns an API on.
    static func enable(_ service: String, _ project: String) -> String {
        text(["services", "enable", service], "--project=\(project)")
    }

    /// Turns a service account on.
    static func enableAccount(_ account: String) -> String {
        text(["iam", "service-accounts", "enable", account], project(of: account))
    }

    /// Shows which service accounts exist, and makes one of this name.
    static func listOrCreate(_ account: String) -> [String] {
        let name = String(account.prefix { $0 != "@" })
        return [
            text(["iam", "service-accounts", "list"], project(of: account)),
            text(["iam", "service-accounts", "create", name], project(of: account)),
        ]
    }

    /// Shows the keys of a service account, and makes another.
    static func listOrCreateKeys(of account: String) -> [String] {
        let flags = ["--iam-account=\(account)", project(of: account)]
        return [
            text(["iam", "service-accounts", "keys", "list"], flags: flags),
            text(["iam", "service-accounts", "keys", "create", "NEW_KEY.json"], flags: flags),
        ]
    }

    /// Shows the keys of a service account that Google keeps.
    static func listGoogleKeys(of account: String) -> String {
        text(
            ["iam", "service-accounts", "keys", "list"], "--iam-account=\(account)", "--managed-by=system",
            project(of: account))
    }

    /// The command with these words, which need no quotes, and flags.
    static func text(_ words: [String], _ flags: String?...) -> String { text(words, flags: flags) }

    private static func text(_ words: [String], flags: [String?]) -> String {
        (["gcloud"] + words + flags.compactMap(\.self)).joined(separator: " ")
    }

    /// The flag with the project of an account, which its domain names; nil for other domains. In `NAME@b.a.iam…` the
    /// project is `a:b`.
    private static func project(of account: String) -> String? {
        guard let at = account.firstIndex(of: "@") else { return nil }
        let domain = account[account.index(after: at)...]
        if domain == appEngineDomain { return "--project=\(account[..<at])" }
        guard domain.hasSuffix(projectDomain) else { return nil }
        let labels = domain.dropLast(projectDomain.count).split(separator: ".")
        guard let name = labels.first else { return nil }
        let scope = labels.dropFirst().joined(separator: ".")
        return "--project=\(scope.isEmpty ? "" : "\(scope):")\(name)"
    }
}
