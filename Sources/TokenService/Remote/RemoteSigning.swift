import FleetEngineToken
import GoogleCredentials
import HTTPClient
import HTTPServer
import Logging
import OpenSSLCrypto
import ServiceConfiguration
import SystemFiles

/// All that remote signing needs: a signer for each kind, their access tokens and published keys, and one quota. It exists
/// only if a kind is signed remotely, since it loads libcurl.
package final class RemoteSigning: Sendable {
    /// The scope for IAM Credentials (CONTRACT.md section 3).
    private static let scopes = ["https://www.googleapis.com/auth/cloud-platform"]
    /// The most requests that the HTTP client has in flight.
    private static let maxInFlight = 256

    package let signers: [TokenKind: RemoteSigner]
    /// The source of access tokens of each signer, by the account.
    private let sources: [String: AccessTokenSource]
    private let identity: Identity

    /// By what a reload recognises that nothing has changed.
    private struct Identity: Equatable {
        let accounts: [TokenKind: [String]]
        let contents: [TokenKind: [UInt8]]
        let google: Configuration.Google
        let signing: Configuration.Signing
        let delegates: [String]
        let certificateAuthorities: String?
    }

    /// The previous machinery if the settings are the same; nil if no kind is signed remotely. Throws an error for each
    /// account that cannot be used. May ask the metadata server for its account, for at most a few seconds.
    package static func make(
        _ loaded: LoadedConfiguration, after previous: RemoteSigning?, logger: Logger
    ) throws(ConfigurationErrors) -> RemoteSigning? {
        let accounts = loaded.signers.remote
        guard !accounts.isEmpty else { return nil }
        let values = loaded.configuration.values
        let identity = Identity(
            accounts: accounts.mapValues { [$0.email ?? "", $0.credentials.source] },
            contents: accounts.mapValues(\.credentials.content), google: values.google, signing: values.signing,
            delegates: values.delegates, certificateAuthorities: values.outgoing.caFile)
        if let previous, previous.identity == identity { return previous }
        return try RemoteSigning(accounts, values, identity, logger: logger)
    }

    private init(
        _ accounts: [TokenKind: RemoteAccount], _ values: ConfigurationValues, _ identity: Identity, logger: Logger
    ) throws(ConfigurationErrors) {
        let client = try OutgoingClient.make("sign_as") { () throws(HTTPClientLimitError) in
            try HTTPClientSettings(
                maxConnections: Self.maxInFlight, maxConnectionsPerHost: Self.maxInFlight, maxWaiting: 4096,
                certificateAuthorities: values.outgoing.caFile)
        }
        let send: HTTPSend = { request, completion in client.send(request, completion: completion) }
        let endpoints = try GoogleEndpoints(values.google)
        let governor = try ConfigurationErrors.wrapping("signing") { () throws(SigningQuotaError) in
            try SigningGovernor(
                signaturesPerMinute: values.signing.quota, share: values.signing.quotaShare,
                maxInFlight: Self.maxInFlight, at: SigningClock.system.monotonic()
            ) { change in
                logger.warning("\(change.sentence)")
            }
        } sentence: {
            $0.sentence
        }
        var made: [String: RemoteSigner] = [:]
        var sources: [String: AccessTokenSource] = [:]
        var signers: [TokenKind: RemoteSigner] = [:]
        for kind in TokenKind.allCases {
            guard let account = accounts[kind] else { continue }
            let email = try Self.email(of: account, send)
            try Self.checkRights(of: email, kind, values)
            let key = "\(email) \(account.credentials.source)"
            if made[key] == nil {
                let source = AccessTokenFetcher(
                    account.credentials.access, scopes: Self.scopes, environment: Environment.variables(), send: send,
                    clock: { ServerTime.now().epochSeconds }
                ).source()
                sources[email] = source
                made[key] = try ConfigurationErrors.wrapping("sign_as") { () throws(RemoteSigningError) in
                    try RemoteSigner(
                        account: email, delegates: values.delegates, endpoint: endpoints.signing,
                        tokens: RemoteAccessTokens(source),
                        keys: PublishedKeys(
                            account: email, base: endpoints.keys, send: send, clock: .system),
                        governor: governor, send: send)
                } sentence: {
                    $0.reason
                }
            }
            signers[kind] = made[key]
        }
        (self.signers, self.sources, self.identity) = (signers, sources, identity)
    }

    /// Fetches access tokens and published keys now, and keeps the tokens fresh.
    package func start() {
        for source in sources.values { source.keepFresh() }
        for signer in signers.values { signer.keys.refresh() }
    }

    /// Why nothing can be signed for an account; nil if all have an access token.
    package var outage: String? {
        for (email, source) in sources.sorted(by: { $0.key < $1.key }) {
            let state = source.state()
            if state.validUntil == nil {
                return "\(email): no access token: \(state.lastError?.sentence ?? "not fetched yet")"
            }
        }
        return nil
    }

    /// The published keys of all accounts, as far as they were fetched, each a JWK set.
    package var keySets: [[UInt8]] {
        var seen: Set<String> = []
        return TokenKind.allCases.compactMap { signers[$0] }.filter { seen.insert($0.account).inserted }
            .compactMap(\.keys.keySet)
    }

    /// Fleet Engine ignores the limits in tokens of an account that may do everything.
    private static func checkRights(
        of email: String, _ kind: TokenKind, _ values: ConfigurationValues
    ) throws(ConfigurationErrors) {
        guard !values.allowDefaultServiceAccounts, let account = DefaultServiceAccount(email: email) else { return }
        throw ConfigurationErrors(sentences: [
            "kinds.\(kind.rawValue): \(email) is \(account.name), which usually holds the Editor role, for which Fleet Engine "
                + "ignores the claims that restrict a token; expected sign_as: EMAIL of an account with one Fleet Engine "
                + "role (allow_default_service_accounts: true overrides)"
        ])
    }
}
