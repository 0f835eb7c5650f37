import HTTPClient

/// The content of a file of Application Default Credentials (AIP-4110), checked: one of Google's four types.
package indirect enum CredentialsFile: Sendable {
    case serviceAccount(ServiceAccountFile)
    case authorizedUser(AuthorizedUser)
    case externalAccount(ExternalAccount)
    case impersonatedServiceAccount(ImpersonatedServiceAccount)
}

/// `service_account`: a key that signs here, or that gets access tokens by the JWT-bearer grant (RFC 7523).
package struct ServiceAccountFile: Sendable {
    /// The whole file, from which OpenSSLSigner makes a signer.
    package let content: [UInt8]
    package let account: String
    /// Where an assertion is exchanged for an access token.
    package let tokenURL: OutgoingURL
    /// Whether Google's APIs take a JWT of the key as an access token, as they do in other universes than googleapis.com.
    package var signsAccessTokens = false
}

/// `authorized_user` (AIP-4113): a person's refresh token (RFC 6749 section 6).
package struct AuthorizedUser: Sendable {
    package let clientID: String
    package let clientSecret: Secret
    package let refreshToken: Secret
    package let tokenURL: OutgoingURL
    package let quotaProject: QuotaProject?
}

/// `external_account` (AIP-4117): a token of another identity provider, exchanged at Google's STS (RFC 8693).
package struct ExternalAccount: Sendable {
    package let audience: String
    package let subjectTokenType: String
    package let tokenURL: OutgoingURL
    package let source: SubjectTokenSource
    /// `generateAccessToken` of the account to impersonate; nil for the federated identity itself.
    package let impersonation: OutgoingURL?
    /// Seconds for which the account's tokens are asked.
    package var impersonationLifetime = Impersonation.usualLifetime
    /// Sent as HTTP Basic authentication (RFC 6749 section 2.3.1); nil for none.
    package let client: ClientCredentials?
    /// The project that is charged for workforce users; nil for none.
    package let workforceUserProject: String?
    package let quotaProject: QuotaProject?

    /// A registered client of the STS.
    package struct ClientCredentials: Sendable {
        package let id: String
        package let secret: Secret
    }

    /// Where the subject token comes from.
    package enum SubjectTokenSource: Sendable {
        case file(path: String, SubjectTokenFormat)
        case url(OutgoingURL, [HTTPClientField], SubjectTokenFormat)
        case aws(AWSSource)
    }

    /// How the subject token is written.
    package enum SubjectTokenFormat: Hashable, Sendable {
        case text
        /// A JSON object with the token in this member.
        case json(member: String)
    }

    /// `environment_id` `aws1`: where AWS tells the region and the security credentials.
    package struct AWSSource: Sendable {
        /// Nil if the region must be in the environment.
        package let regionURL: OutgoingURL?
        /// Nil if the security credentials must be in the environment.
        package let credentialsURL: OutgoingURL?
        /// The URL of GetCallerIdentity, with `{region}` in it.
        package let verificationURL: String
        /// Nil for IMDSv1.
        package let sessionTokenURL: OutgoingURL?
    }
}

/// `impersonated_service_account`: credentials that may act as another account.
package struct ImpersonatedServiceAccount: Sendable {
    package let account: String
    /// `generateAccessToken` of that account.
    package let url: OutgoingURL
    /// The accounts of a delegation chain, in order.
    package let delegates: [String]
    package let source: CredentialsFile
    package let quotaProject: QuotaProject?
}

extension CredentialsFile {
    /// The service account that these credentials act as; nil for a person or a federated identity.
    package var account: String? {
        switch self {
        case .serviceAccount(let file): file.account
        case .authorizedUser: nil
        case .externalAccount(let account): account.impersonatedAccount
        case .impersonatedServiceAccount(let target): target.account
        }
    }

    /// Whether someone who reads the file can act as its account: most files of external accounts hold no secret.
    package var holdsSecret: Bool {
        switch self {
        case .serviceAccount, .authorizedUser: true
        case .externalAccount(let account): account.holdsSecret
        case .impersonatedServiceAccount(let target): target.source.holdsSecret
        }
    }

    fileprivate var subjectToken: ExternalAccount.SubjectTokenSource? {
        switch self {
        case .serviceAccount, .authorizedUser: nil
        case .externalAccount(let account): account.source
        case .impersonatedServiceAccount(let target): target.source.subjectToken
        }
    }

    /// Whether the environment says where their tokens come from.
    var usesAWS: Bool { if case .aws = subjectToken { true } else { false } }

    /// The files of tokens, which for AWS the environment names.
    func tokenFiles(_ environment: [String: String]) -> [String] {
        switch subjectToken {
        case .aws: AWSEnvironment.files(environment)
        case .file(let path, _): [path]
        case .url, nil: []
        }
    }
}

extension ExternalAccount {
    /// The e-mail address of the account to impersonate; nil for the federated identity itself.
    package var impersonatedAccount: String? {
        impersonation.flatMap(ImpersonationURL.init)?.account
    }

    fileprivate var holdsSecret: Bool {
        guard client == nil, case .url(_, let fields, _) = source else { return client != nil }
        return !fields.isEmpty
    }
}
