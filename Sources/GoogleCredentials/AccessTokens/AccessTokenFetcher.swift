import Dispatch
import HTTPClient

/// Where access tokens come from.
package enum AccessCredentials: Sendable {
    case file(CredentialsFile)
    case metadataServer(MetadataServer)

    /// The file of another provider's token, which is read at each exchange; nil if there is none.
    package var subjectTokenFile: String? {
        if case .file(let file) = self { file.subjectTokenFile } else { nil }
    }
}

/// Fetches access tokens for credentials: puts the requests of each type one after another.
package struct AccessTokenFetcher: Sendable {
    /// Seconds before its expiry at which a metadata server has another token (Google's documentation of the server).
    private static let metadataMargin: Int64 = 225
    /// Files are read and assertions signed here, not on the thread of a request.
    private static let queue = DispatchQueue(label: "access-token-fetch")

    private let credentials: AccessCredentials
    private let project: QuotaProject?
    private let scopes: [String]
    private let environment: [String: String]
    private let send: HTTPSend
    private let clock: @Sendable () -> Int64

    /// A fetcher of tokens with these scopes. `project` is that of calls with these tokens, `environment` is for the AWS
    /// variables, and `clock` returns seconds since the epoch.
    package init(
        _ credentials: AccessCredentials, in project: QuotaProject?, scopes: [String], environment: [String: String],
        send: @escaping HTTPSend, clock: @escaping @Sendable () -> Int64
    ) {
        self.credentials = credentials
        self.project = project
        self.scopes = scopes
        self.environment = environment
        self.send = send
        self.clock = clock
    }

    /// Fetches a token; the completion is called exactly once, on any thread.
    package func fetch(_ completion: @escaping @Sendable (Result<AccessToken, AccessTokenError>) -> Void) {
        Self.queue.async {
            switch credentials {
            case .metadataServer(let server): server.token(scopes, clock: clock, send, completion)
            case .file(let file): fetch(file, scopes, completion)
            }
        }
    }

    /// A source that keeps one of the tokens.
    package func source() -> AccessTokenSource {
        let margin =
            switch credentials {
            case .metadataServer: Self.metadataMargin
            case .file: AccessTokenSource.usualMargin
            }
        return AccessTokenSource(fetch: fetch, clock: clock, refreshMargin: margin)
    }
}

extension AccessTokenFetcher {
    private func fetch(
        _ file: CredentialsFile, _ scopes: [String], _ completion: @escaping TokenCompletion<AccessToken>
    ) {
        switch file {
        case .serviceAccount(let account) where account.signsAccessTokens:
            completion(
                Result { () throws(AccessTokenError) in
                    try JWTBearerGrant.ownToken(of: account, scopes: scopes, at: clock())
                })
        case .serviceAccount(let account):
            TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
                try JWTBearerGrant.request(account, scopes: scopes, at: clock())
            }
        case .authorizedUser(let user):
            TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
                try .refreshToken(of: user, at: clock())
            }
        case .externalAccount(let account): fetch(account, scopes, completion)
        case .impersonatedServiceAccount(let target):
            fetch(
                target.source, [Impersonation.scope],
                going(to: completion) { source in
                    // The environment replaces the project of the account's calls alone.
                    impersonate(
                        target.url, target.delegates, scopes, for: Impersonation.usualLifetime, as: source,
                        in: target.source.quotaProject, completion)
                })
        }
    }

    private func fetch(
        _ account: ExternalAccount, _ scopes: [String], _ completion: @escaping TokenCompletion<AccessToken>
    ) {
        guard let impersonation = account.impersonation else { return exchange(account, scopes, completion) }
        exchange(
            account, [Impersonation.scope],
            going(to: completion) { source in
                impersonate(
                    impersonation, [], scopes, for: account.impersonationLifetime, as: source, in: project, completion)
            })
    }

    private func impersonate(
        _ url: OutgoingURL, _ delegates: [String], _ scopes: [String],
        for lifetime: Int64,
        as source: AccessToken, in project: QuotaProject?, _ completion: @escaping TokenCompletion<AccessToken>
    ) {
        TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
            try Impersonation.request(
                url, delegates: delegates, scopes: scopes, for: lifetime, as: source, in: project, at: clock())
        }
    }

    private func exchange(
        _ account: ExternalAccount, _ scopes: [String], _ completion: @escaping TokenCompletion<AccessToken>
    ) {
        subjectToken(
            of: account,
            going(to: completion) { subjectToken in
                TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
                    try TokenExchange.request(account, subjectToken: subjectToken, scopes: scopes, at: clock())
                }
            })
    }

    private func subjectToken(of account: ExternalAccount, _ completion: @escaping TokenCompletion<Secret>) {
        let type = SubjectTokenType(account.subjectTokenType)
        switch account.source {
        case .file(let path, let format):
            completion(Result { () throws(AccessTokenError) in try SubjectToken.read(path, format, type) })
        case .url(let url, let fields, let format):
            TokenRequest.perform(by: send, completion) { () throws(AccessTokenError) in
                try SubjectToken.request(url, fields, format, type)
            }
        case .aws(let source):
            AWSIdentity(source: source, environment: environment, send: send).read(
                going(to: completion) { region, credentials in
                    completion(
                        Result { () throws(AccessTokenError) in
                            try AWSSubjectToken.make(
                                credentials, region: region, verificationURL: source.verificationURL,
                                audience: account.audience, at: clock())
                        })
                })
        }
    }
}

extension TokenRequest where Value == AccessToken {
    /// The refresh-token grant (RFC 6749 section 6, AIP-4113), without `scope`: a person's refresh token has its scopes
    /// from the login, and others would be refused.
    static func refreshToken(of user: AuthorizedUser, at now: Int64) throws(AccessTokenError) -> TokenRequest {
        try TokenRequest(
            posting: [
                ("grant_type", "refresh_token"), ("client_id", user.clientID),
                ("client_secret", user.clientSecret.value), ("refresh_token", user.refreshToken.value),
            ],
            to: user.tokenURL, hiding: [user.clientSecret, user.refreshToken]
        ) { answer throws(AccessTokenError) in try answer.accessToken(at: now) }
    }
}
