import HTTPClient
import OpenSSLSigner
import StrictJSON

extension CredentialsFile {
    /// What such a file holds, for messages after "expected".
    static let expectation = "Application Default Credentials as gcloud writes them"

    /// Parses a file strictly; members that no type defines are ignored, since Google adds some. `source` is the file's name
    /// in error messages. URLs must lead to Google's domain, to `universeDomain` or to one of the allowed hosts.
    package init(
        parsing content: [UInt8], source: String, allowedHosts: [String], universeDomain: String
    ) throws(CredentialError) {
        let members = try CredentialMembers(parsing: content, source: source, expecting: Self.expectation)
        let rules = CredentialsURLRules(allowedHosts: allowedHosts, universeDomain: universeDomain)
        let type = try CredentialsType(of: members, among: CredentialsType.allCases)
        try rules.checkUniverse(of: members)
        switch type {
        case .serviceAccount: self = .serviceAccount(try ServiceAccountFile(members, rules, content: content))
        case .authorizedUser: self = .authorizedUser(try AuthorizedUser(members, rules))
        case .externalAccount: self = .externalAccount(try ExternalAccount(members, rules))
        case .impersonatedServiceAccount:
            self = .impersonatedServiceAccount(try ImpersonatedServiceAccount(members, rules))
        }
    }

    /// The credentials that impersonate another account.
    fileprivate init(source members: CredentialMembers, _ rules: CredentialsURLRules) throws(CredentialError) {
        let types = CredentialsType.allCases.filter { $0 != .impersonatedServiceAccount }
        let type = try CredentialsType(of: members, among: types)
        try rules.checkUniverse(of: members)
        switch type {
        case .authorizedUser: self = .authorizedUser(try AuthorizedUser(members, rules))
        case .externalAccount: self = .externalAccount(try ExternalAccount(members, rules))
        default: self = .serviceAccount(try ServiceAccountFile(members, rules, content: nil))
        }
    }
}

/// The member `type` of a file.
private enum CredentialsType: String, CaseIterable {
    case serviceAccount = "service_account"
    case authorizedUser = "authorized_user"
    case externalAccount = "external_account"
    case impersonatedServiceAccount = "impersonated_service_account"

    /// Types of Google's that nothing here can use.
    private static let others = ["external_account_authorized_user", "gdch_service_account"]

    init(of members: CredentialMembers, among types: [CredentialsType]) throws(CredentialError) {
        let text = try members.text("type")
        if let type = CredentialsType(rawValue: text), types.contains(type) {
            self = type
            return
        }
        // Only a known type is quoted: a key in the wrong place must not reach a log.
        let isKnown = CredentialsType(rawValue: text) != nil || Self.others.contains(text)
        let names = types.map(\.rawValue)
        let expected = names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
        throw members.error("type", "is \(isKnown ? "\"\(text)\"" : "another"); expected \(expected)")
    }
}

extension ServiceAccountFile {
    /// The content is nil for an object within another file.
    fileprivate init(
        _ members: CredentialMembers, _ rules: CredentialsURLRules, content: [UInt8]?
    ) throws(CredentialError) {
        // Whether the account is one that Google Cloud creates by default matters only where it signs.
        account = try ServiceAccountKey.load(members, allowDefaultServiceAccounts: true).account
        tokenURL = try rules.tokenURL(of: members)
        signsAccessTokens = !rules.isGoogleUniverse
        if let content {
            self.content = content
        } else {
            self.content = try Self.content(members)
        }
    }

    /// A file of the members that matter for signing.
    private static func content(_ members: CredentialMembers) throws(CredentialError) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for name in ["type", "client_email", "private_key_id", "private_key"] {
            json.member(name, try members.text(name))
        }
        json.endObject()
        return json.bytes
    }
}

extension AuthorizedUser {
    fileprivate init(_ members: CredentialMembers, _ rules: CredentialsURLRules) throws(CredentialError) {
        clientID = try members.printableText("client_id")
        clientSecret = Secret(try members.printableText("client_secret"))
        refreshToken = Secret(try members.printableText("refresh_token"))
        tokenURL = try rules.tokenURL(of: members)
        quotaProject = try QuotaProject.named(in: members)
    }
}

extension ImpersonatedServiceAccount {
    fileprivate init(_ members: CredentialMembers, _ rules: CredentialsURLRules) throws(CredentialError) {
        let impersonation = try rules.impersonationURL(
            rules.url(ImpersonationURL.member, of: members, to: .iamCredentials), members)
        (account, url) = (impersonation.account, impersonation.url)
        delegates = try members.texts("delegates")
        guard delegates.allSatisfy({ (try? ServiceAccountName($0)) != nil }) else {
            throw members.error(
                "delegates", "holds something other than e-mail addresses of service accounts; expected those")
        }
        source = try CredentialsFile(source: members.object("source_credentials"), rules)
        quotaProject = try QuotaProject.named(in: members)
    }
}

extension CredentialsURLRules {
    /// Where service accounts and users get access tokens. Files without it mean the usual URL.
    fileprivate func tokenURL(of members: CredentialMembers) throws(CredentialError) -> OutgoingURL {
        let text = try members.optionalText("token_uri")
        // Key files made before 2018 have these URLs of the same endpoint.
        let former = ["https://accounts.google.com/o/oauth2/token", "https://www.googleapis.com/oauth2/v4/token"]
        let given = text.flatMap { former.contains($0) ? nil : $0 }
        return try check(given ?? "https://oauth2.\(universeDomain)/token", "token_uri", members, .oauth)
    }

    /// Throws if the file is for another universe of Google's than the configured one.
    fileprivate func checkUniverse(of members: CredentialMembers) throws(CredentialError) {
        guard let domain = try members.optionalText("universe_domain"), domain.lowercased() != universeDomain else {
            return
        }
        throw members.error(
            "universe_domain", "differs from google.universe_domain; expected \(universeDomain) in both")
    }
}
