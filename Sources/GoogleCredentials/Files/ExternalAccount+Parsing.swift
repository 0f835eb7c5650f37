import HTTPClient
import OpenSSLSigner

extension ExternalAccount {
    /// The account in these members (AIP-4117).
    init(_ members: CredentialMembers, _ rules: CredentialsURLRules) throws(CredentialError) {
        audience = try members.printableText("audience")
        subjectTokenType = try members.printableText("subject_token_type")
        tokenURL = try rules.url("token_url", of: members, to: .googleSTS)
        source = try SubjectTokenSource(members.object("credential_source"), rules)
        if case .aws = source, subjectTokenType != Self.awsTokenType {
            throw members.error("subject_token_type", "is not the one of AWS; expected \(Self.awsTokenType)")
        }
        impersonation = try rules.optionalURL(ImpersonationURL.member, of: members, to: .iamCredentials)
        if let impersonation { _ = try rules.impersonationURL(impersonation, members) }
        impersonationLifetime = try Self.impersonationLifetime(members)
        client = try ClientCredentials(members)
        workforceUserProject = try Self.workforceUserProject(members, audience: audience)
        quotaProject = try QuotaProject.named(in: members)
    }

    /// `token_lifetime_seconds` of `service_account_impersonation`, as Google's clients read it.
    private static func impersonationLifetime(_ members: CredentialMembers) throws(CredentialError) -> Int64 {
        let (range, name) = (Int64(600)...43_200, "token_lifetime_seconds")
        guard let options = try members.optionalObject("service_account_impersonation"),
            let seconds = try options.optionalWhole(name)
        else { return Impersonation.usualLifetime }
        guard range.contains(seconds) else {
            throw options.error(name, "is \(seconds); expected \(range.lowerBound) to \(range.upperBound)")
        }
        return seconds
    }

    private static let awsTokenType = "urn:ietf:params:aws:token-type:aws4_request"

    private static func workforceUserProject(
        _ members: CredentialMembers, audience: String
    ) throws(CredentialError) -> String? {
        let name = "workforce_pool_user_project"
        guard let project = try members.optionalPrintableText(name) else { return nil }
        guard audience.contains("/workforcePools/") else {
            throw members.error(name, "is for workforce pools alone; expected an audience with /workforcePools/ in it")
        }
        return project
    }
}

extension ExternalAccount.ClientCredentials {
    /// Nil if the members name no client.
    fileprivate init?(_ members: CredentialMembers) throws(CredentialError) {
        guard members.holds("client_id") || members.holds("client_secret") else { return nil }
        id = try members.printableText("client_id")
        secret = Secret(try members.printableText("client_secret"))
    }
}

extension ExternalAccount.SubjectTokenSource {
    private static let supported = "file, url or environment_id"
    private static let expectation = "exactly one of file, url and environment_id"

    /// The source in the members of `credential_source`. Throws unless it is of one kind that is supported.
    fileprivate init(_ members: CredentialMembers, _ rules: CredentialsURLRules) throws(CredentialError) {
        try Self.checkKind(members)
        if members.holds("environment_id") {
            self = .aws(try ExternalAccount.AWSSource(members, rules))
        } else if members.holds("file") {
            self = .file(path: try Self.path(members), try ExternalAccount.SubjectTokenFormat(members))
        } else {
            self = .url(
                try rules.url("url", of: members, to: .subjectToken), try members.fields("headers"),
                try ExternalAccount.SubjectTokenFormat(members))
        }
    }

    private static func checkKind(_ members: CredentialMembers) throws(CredentialError) {
        guard !members.holds("executable") else {
            throw members.error("executable", "names a program, and none is run here; expected \(supported)")
        }
        guard !members.holds("certificate") else {
            throw members.error(
                "certificate", "names a client certificate, which is not supported; expected \(supported)")
        }
        // AWS's form has a `url` too.
        let kinds = ["file", members.holds("environment_id") ? "environment_id" : "url"].filter(members.holds)
        switch kinds.count {
        case 0: throw members.error("file", "is missing, as are url and environment_id; expected \(expectation)")
        case 1: return
        default: throw members.error(kinds[0], "is there beside \(kinds[1]); expected \(expectation)")
        }
    }

    private static func path(_ members: CredentialMembers) throws(CredentialError) -> String {
        let path = try members.text("file")
        // The system would read the path up to a NUL.
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw members.error("file", "holds a control character; expected the path of a file")
        }
        return path
    }
}

extension ExternalAccount.SubjectTokenFormat {
    /// The format in the members of `credential_source`; text if there is none.
    fileprivate init(_ source: CredentialMembers) throws(CredentialError) {
        guard let members = try source.optionalObject("format") else {
            self = .text
            return
        }
        switch try members.optionalText("type") {
        case nil, "text": self = .text
        case "json": self = .json(member: try members.text("subject_token_field_name"))
        default: throw members.error("type", "is another; expected text or json")
        }
    }
}

extension ExternalAccount.AWSSource {
    /// Any region, to check a URL with its place for one.
    private static let anyRegion = "us-east-1"

    /// The source in the members of `credential_source`.
    fileprivate init(_ members: CredentialMembers, _ rules: CredentialsURLRules) throws(CredentialError) {
        guard try members.text("environment_id") == "aws1" else {
            throw members.error("environment_id", "is another; expected aws1, the only one that is defined")
        }
        func url(_ name: String, _ path: String) throws(CredentialError) -> OutgoingURL? {
            try rules.optionalURL(name, of: members, to: .awsMetadata(path: "/latest/\(path)"))
        }
        regionURL = try url("region_url", "meta-data/placement/availability-zone")
        credentialsURL = try url("url", "meta-data/iam/security-credentials")
        sessionTokenURL = try url("imdsv2_session_token_url", "api/token")
        let name = "regional_cred_verification_url"
        verificationURL = try members.text(name)
        let parts = verificationURL.split(separator: "{region}", omittingEmptySubsequences: false)
        _ = try rules.check(parts.joined(separator: Self.anyRegion), name, members, .awsSTS)
    }
}

extension CredentialsURLRules {
    /// The URL as one that impersonates an account.
    func impersonationURL(
        _ url: OutgoingURL, _ members: CredentialMembers
    ) throws(CredentialError) -> ImpersonationURL {
        guard let impersonation = ImpersonationURL(url) else {
            throw members.error(
                ImpersonationURL.member,
                "is not generateAccessToken of an account; expected the path \(ImpersonationURL.form)")
        }
        return impersonation
    }
}
