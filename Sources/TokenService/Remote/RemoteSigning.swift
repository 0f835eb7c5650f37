import Concurrency
import FleetEngineToken
import GoogleCredentials
import HTTPClient
import Logging
import ServiceConfiguration

/// All that remote signing needs: a signer for each kind, their access tokens and published keys, and one quota. It exists
/// only if a kind is signed remotely, since it loads libcurl.
package final class RemoteSigning: Sendable {
    package let signers: [TokenKind: RemoteSigner]
    /// The access tokens, by how their credentials were found.
    private let sources: [String: AccessTokenSource]
    /// An account with the credentials of each, by the same names.
    private let credentials: [String: RemoteAccount]
    private let identity: Identity
    let clients: RemoteClients
    package let governor: SigningGovernor
    private let quota: SigningQuota
    private let logger: Logger

    private struct Account: Equatable {
        /// Nil for the account of the machine.
        let email: String?
        /// How the credentials were found.
        let source: String
    }

    /// By what a reload recognises that nothing has changed.
    private struct Identity: Equatable {
        let accounts: [TokenKind: Account]
        let contents: [TokenKind: [UInt8]]
        let google: Configuration.Google
        let signing: Configuration.Signing
        let delegates: [String]
        let egress: Egress
    }

    /// The previous machinery if the settings are the same; nil if no kind is signed remotely. Throws an error for each
    /// account that cannot be used. May ask the metadata server for its account, for at most a few seconds. `governor` is the
    /// last one that there was.
    package static func make(
        _ loaded: LoadedConfiguration, after previous: RemoteSigning?, governor: SigningGovernor? = nil, logger: Logger
    ) throws(ConfigurationErrors) -> RemoteSigning? {
        let accounts = loaded.signers.remote
        guard !accounts.isEmpty else { return nil }
        let values = loaded.configuration
        let identity = Identity(
            accounts: accounts.mapValues { Account(email: $0.email, source: $0.source) },
            contents: accounts.mapValues(\.content), google: values.google, signing: values.signing,
            delegates: values.delegates, egress: try values.outgoing.egress())
        if let previous, previous.identity == identity { return previous }
        return try RemoteSigning(
            accounts, values, identity, previous.flatMap { $0.asks(as: identity) ? $0 : nil }, governor, logger: logger)
    }

    /// Whether Google is asked at the same endpoints, in the same way.
    private func asks(as other: Identity) -> Bool {
        identity.google == other.google && identity.egress == other.egress
    }

    private init(
        _ accounts: [TokenKind: RemoteAccount], _ values: Configuration, _ identity: Identity,
        _ previous: RemoteSigning?, _ governor: SigningGovernor?, logger: Logger
    ) throws(ConfigurationErrors) {
        var machinery = try RemoteMachinery(
            values, by: identity.egress, after: previous, governor: governor, logger: logger)
        var signers: [TokenKind: RemoteSigner] = [:]
        for kind in TokenKind.allCases {
            guard let account = accounts[kind] else { continue }
            let email = try machinery.email(of: account)
            try Self.checkRights(of: email, kind, values)
            signers[kind] = try machinery.signer(of: email, by: account, account.delegates ?? values.delegates)
        }
        (self.signers, sources, self.identity) = (signers, machinery.sources, identity)
        credentials = Dictionary(accounts.values.map { ($0.source, $0) }) { first, _ in first }
        (clients, self.governor, quota) = (machinery.clients, machinery.governor, machinery.quota)
        self.logger = logger
    }

    /// The access tokens of an account's credentials, if they are the same.
    func accessTokens(of account: RemoteAccount) -> AccessTokenSource? {
        credentials[account.source]?.content == account.content ? sources[account.source] : nil
    }

    /// The published keys of an account.
    func keys(of email: String) -> PublishedKeys? { signers.values.first { $0.account == email }?.keys }

    /// Keeps its quota, fetches access tokens and published keys, and keeps the tokens fresh.
    package func start() {
        governor.start(quota, of: accounts, at: SigningClock.system.monotonic())
        for (name, source) in sources where source.start() {
            for file in credentials[name]?.tokenFiles ?? [] {
                logger.notice(
                    "credentials name a file whose token is sent",
                    metadata: ["credentials": "\(name)", "file": "\(file)"])
            }
        }
        for signer in signers.values { signer.keys.refresh() }
    }

    /// The accounts that Google signs for.
    package var accounts: Set<String> { Set(signers.values.map(\.account)) }

    /// Signatures in flight, what is left of the quota, and what was refused without asking Google.
    package var figures: SigningGovernor.Figures { governor.figures(at: SigningClock.system.monotonic()) }

    /// Seconds since the epoch until which each access token is valid, by how its credentials were found; nil for none.
    package var accessTokenExpiries: [(source: String, validUntil: Int64?)] {
        sources.sorted { $0.key < $1.key }.map { ($0.key, $0.value.known.value?.expiresAt) }
    }

    /// Why Google does not sign the tokens of a kind, and what to do about it. `failing` are the accounts that it does not
    /// sign for.
    package func outages(_ failing: [RemoteOutage]) -> [TokenKind: ProbeFailure] {
        signers.reduce(into: [:]) { found, entry in
            let (kind, signer) = entry
            found[kind] =
                identity.accounts[kind].flatMap { missingAccessToken(from: $0.source) }
                ?? failing.first { $0.account == signer.account }?.failure
        }
    }

    /// Why these credentials have no access token; nil if they have one.
    private func missingAccessToken(from name: String) -> ProbeFailure? {
        guard let known = sources[name]?.known, known.value == nil else { return nil }
        let failure = credentials[name].flatMap { known.failure?.failure(of: $0.access) }
        return ProbeFailure(
            "\(name) gave no access token: \(failure?.detail ?? "not asked yet")",
            failure?.remedy ?? Remedy("wait for the first access token"))
    }

    /// Waits until each account's published keys are fetched or that has failed, for at most some seconds.
    package func fetchKeys() throws(ConfigurationErrors) {
        let loads = signers.values.map { Awaited($0.keys.load) }
        let failures = loads.compactMap { load in
            if case .failure(let error) = load.value() { error.reason } else { nil as String? }
        }
        let sentences = Set(failures).sorted()
        guard sentences.isEmpty else { throw ConfigurationErrors(sentences: sentences) }
    }

    /// The published keys of each account, in the order of the kinds.
    package var publishedKeys: [PublishedKeys] {
        var seen: Set<String> = []
        return TokenKind.allCases.compactMap { signers[$0] }.filter { seen.insert($0.account).inserted }.map(\.keys)
    }

    /// The published keys of all accounts, as far as they were fetched, each a JWK set.
    package var keySets: [[UInt8]] { publishedKeys.compactMap(\.keySet) }

    /// Fleet Engine ignores the limits in tokens of an account that may do everything.
    package static func checkRights(
        of email: String, _ kind: TokenKind, _ values: Configuration
    ) throws(ConfigurationErrors) {
        guard !values.allowDefaultServiceAccounts, let account = DefaultServiceAccount(email: email) else { return }
        throw ConfigurationErrors(
            "kinds.\(kind.rawValue): \(email) is \(account.name), which usually holds the Editor role, for which Fleet Engine "
                + "ignores the claims that restrict a token; expected sign_as: EMAIL of an account with one Fleet Engine "
                + "role (allow_default_service_accounts: true overrides)")
    }
}
