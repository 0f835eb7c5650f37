import HTTPClient

/// Where access tokens come from.
package enum AccessCredentials: Sendable {
    case file(CredentialsFile)
    case metadataServer(MetadataServer)

    /// The files of tokens that are read at each exchange, those that the environment names among them.
    package func tokenFiles(_ environment: [String: String]) -> [String] {
        if case .file(let file) = self { file.tokenFiles(environment) } else { [] }
    }

    /// Throws what is wrong with the variables of the environment that the credentials need.
    package func check(_ environment: [String: String]) throws(AccessTokenError) {
        if case .file(let file) = self, file.usesAWS { _ = try AWSEnvironment(environment) }
    }
}

/// Fetches access tokens for credentials: puts the requests of each type one after another.
package struct AccessTokenFetcher: Sendable {
    /// Seconds before its expiry at which a metadata server has another token (Google's documentation of the server).
    private static let metadataMargin: Int64 = 225

    private let credentials: AccessCredentials
    private let project: QuotaProject?
    private let scopes: [String]
    private let environment: [String: String]
    private let send: HTTPSend
    private let clock: SigningClock

    /// A fetcher of tokens with these scopes. `project` is that of calls with these tokens, `environment` is for the AWS
    /// variables.
    package init(
        _ credentials: AccessCredentials, in project: QuotaProject?, scopes: [String], environment: [String: String],
        send: @escaping HTTPSend, clock: SigningClock = .system
    ) {
        (self.credentials, self.project, self.scopes) = (credentials, project, scopes)
        (self.environment, self.send, self.clock) = (environment, send, clock)
    }

    /// Fetches a token.
    package func fetch() async throws(AccessTokenError) -> AccessToken {
        switch credentials {
        case .metadataServer(let server): try await server.token(scopes, clock: clock.epochSeconds, send)
        case .file(let file): try await token(of: file, scopes)
        }
    }

    /// A source that keeps one of the tokens.
    package func source() -> AccessTokenSource {
        let margin =
            switch credentials {
            case .metadataServer: Self.metadataMargin
            case .file: AccessTokenSource.usualMargin
            }
        return AccessTokenSource(clock, refreshMargin: margin, fetch: fetch)
    }

    private func token(of file: CredentialsFile, _ scopes: [String]) async throws(AccessTokenError) -> AccessToken {
        switch file {
        case .serviceAccount(let account) where account.signsAccessTokens:
            return try JWTBearerGrant.ownToken(of: account, scopes: scopes, at: now)
        case .serviceAccount(let account):
            return try await JWTBearerGrant.token(account, scopes: scopes, at: now, by: send)
        case .authorizedUser(let user): return try await user.token(at: now, by: send)
        case .externalAccount(let account): return try await token(of: account, scopes)
        case .impersonatedServiceAccount(let target):
            let source = try await token(of: target.source, [Impersonation.scope])
            // The environment replaces the project of the account's calls alone.
            return try await Impersonation.token(
                target.url, delegates: target.delegates, scopes: scopes, as: source, in: target.source.quotaProject,
                at: now, by: send)
        }
    }

    private func token(of account: ExternalAccount, _ scopes: [String]) async throws(AccessTokenError) -> AccessToken {
        guard let impersonation = account.impersonation else { return try await exchange(account, scopes) }
        let source = try await exchange(account, [Impersonation.scope])
        return try await Impersonation.token(
            impersonation, delegates: [], scopes: scopes, for: account.impersonationLifetime, as: source, in: project,
            at: now, by: send)
    }

    private func exchange(_ account: ExternalAccount, _ scopes: [String]) async throws(AccessTokenError) -> AccessToken
    {
        let subject = try await subjectToken(of: account)
        return try await TokenExchange.token(account, subjectToken: subject, scopes: scopes, at: now, by: send)
    }

    private func subjectToken(of account: ExternalAccount) async throws(AccessTokenError) -> Secret {
        let type = SubjectTokenType(account.subjectTokenType)
        switch account.source {
        case .file(let path, let format): return try SubjectToken.read(path, format, type)
        case .url(let url, let fields, let format):
            return try await SubjectToken.fetch(url, fields, format, type, by: send)
        case .aws(let source):
            let (region, credentials) = try await AWSIdentity(source: source, environment: environment, send: send)
                .read()
            return try AWSSubjectToken.make(
                credentials, region: region, verificationURL: source.verificationURL, audience: account.audience,
                at: now)
        }
    }

    private var now: Int64 { clock.epochSeconds() }
}

extension AuthorizedUser {
    /// The refresh-token grant (RFC 6749 section 6, AIP-4113), without `scope`: a person's refresh token has its scopes
    /// from the login, and others would be refused.
    func token(at now: Int64, by send: HTTPSend) async throws(AccessTokenError) -> AccessToken {
        try await TokenRequest(
            posting: [
                ("grant_type", "refresh_token"), ("client_id", clientID), ("client_secret", clientSecret.value),
                ("refresh_token", refreshToken.value),
            ],
            to: tokenURL, hiding: [clientSecret, refreshToken]
        ).answer(by: send).accessToken(at: now)
    }
}
