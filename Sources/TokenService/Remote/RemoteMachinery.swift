import Concurrency
import FleetEngineToken
import GoogleCredentials
import HTTPClient
import HTTPServer
import Logging
import ServiceConfiguration
import SystemFiles

/// What asks Google, which a reload keeps while endpoints and the way to them are the same.
struct RemoteClients: Sendable {
    /// Eight connections to a host carry as many requests as signatures may be in flight.
    private static let maxRequestsPerConnection = SigningGovernor.usualInFlight / 8

    let send: HTTPSend
    let endpoints: GoogleEndpoints

    init(_ values: Configuration, by egress: Egress) throws(ConfigurationErrors) {
        let client = try OutgoingClient.make(
            "sign_as",
            HTTPClientSettings(
                maxRequestsPerConnection: Self.maxRequestsPerConnection, maxWaiting: 4096, egress: egress))
        send = client.answer
        endpoints = try GoogleEndpoints(values.google)
    }
}

/// Makes the signers of a configuration: accounts with the same credentials share their access tokens, and all share the
/// HTTP clients and one quota. What the previous machinery has of the same is taken over.
struct RemoteMachinery {
    let clients: RemoteClients
    let governor: SigningGovernor
    /// The configured quota, of which nothing has been used.
    let quota: SigningQuota
    /// The access tokens, by how their credentials were found.
    private(set) var sources: [String: AccessTokenSource] = [:]
    private var signers: [String: RemoteSigner] = [:]
    /// The account of the machine, once it was asked for.
    private var machineAccount: String?
    private let previous: RemoteSigning?
    private let logger: Logger

    /// `previous` asks the same endpoints; `governor` is the last one that there was.
    init(
        _ values: Configuration, by egress: Egress, after previous: RemoteSigning?,
        governor: SigningGovernor?, logger: Logger
    ) throws(ConfigurationErrors) {
        (self.previous, self.logger) = (previous, logger)
        clients = if let previous { previous.clients } else { try RemoteClients(values, by: egress) }
        quota = SigningQuota(
            signaturesPerMinute: values.signing.quota, share: values.signing.quotaShare,
            at: SigningClock.system.monotonic())
        self.governor =
            governor
            ?? SigningGovernor(quota) { account, change in
                let metadata: Logger.Metadata = ["account": "\(account)", "reason": "\(change.reason)"]
                switch change {
                case .opened: logger.warning("remote signing paused", metadata: metadata)
                case .closed: logger.warning("remote signing resumed", metadata: metadata)
                }
            }
    }

    /// The account's signer.
    mutating func signer(
        of email: String, by account: RemoteAccount, _ delegates: [String]
    ) throws(ConfigurationErrors) -> RemoteSigner {
        let name = "\(email) \(account.source)"
        if let signer = signers[name] { return signer }
        let tokens = source(of: account)
        let signer = try ConfigurationErrors.wrapping("sign_as") { () throws(RemoteSigningError) in
            let keys =
                if let known = previous?.keys(of: email) {
                    known
                } else {
                    try PublishedKeys(
                        account: email, base: clients.endpoints.keys, send: clients.send, clock: .system,
                        report: { [logger] reason in
                            logger.error(
                                "published keys were withdrawn",
                                metadata: ["account": "\(email)", "reason": "\(reason)"])
                        })
                }
            return try RemoteSigner(
                account: email, delegates: delegates, endpoint: clients.endpoints.signing,
                caller: account.member(machine: machineAccount), project: account.project, tokens: tokens,
                of: account.access, keys: keys, governor: governor, send: clients.send)
        } sentence: {
            $0.reason
        }
        signers[name] = signer
        return signer
    }

    private mutating func source(of account: RemoteAccount) -> AccessTokenSource {
        if let source = sources[account.source] { return source }
        let source = previous?.accessTokens(of: account) ?? account.accessTokens(clients.send)
        sources[account.source] = source
        return source
    }

    /// The account's e-mail address; that of the machine is asked for once.
    mutating func email(of account: RemoteAccount) throws(ConfigurationErrors) -> String {
        if let email = account.email ?? machineAccount { return email }
        guard case .metadataServer(let server) = account.access else {
            throw ConfigurationErrors("the credentials have no service account; expected sign_as: EMAIL")
        }
        let email = try ask(server)
        machineAccount = email
        return email
    }

    /// The file that the environment names, or the one in whose place a service unit gives a placeholder.
    private static var ownFile: String {
        let named = Environment.variables()[CredentialsSearch.variable] ?? ""
        return CredentialCopies.own.original(of: named) ?? CredentialsSearch.variable
    }

    /// Blocks until the metadata server has answered or a deadline has passed.
    private func ask(_ server: MetadataServer) throws(ConfigurationErrors) -> String {
        let email = Awaited { [send = clients.send] () async throws(AccessTokenError) in try await server.email(send) }
        switch email.value() {
        case .success(let name): return name
        case .failure(let error):
            throw ConfigurationErrors(
                "no credentials were found: neither \(Self.ownFile) nor gcloud's file exists, and the metadata "
                    + "server gave no account: \(error.sentence); expected credentials: FILE, --credentials FILE, or a "
                    + "machine of Google's")
        case nil: throw ConfigurationErrors("the metadata server gave no account")
        }
    }
}

/// Where Google signs, publishes keys and takes tokens.
struct GoogleEndpoints {
    let signing: OutgoingURL
    let keys: OutgoingURL
    let fleetEngine: OutgoingURL

    /// The configured endpoints, or those of the universe domain.
    init(_ google: Configuration.Google) throws(ConfigurationErrors) {
        let domain = google.universeDomain
        signing = try Self.url(google.iamCredentials, "https://iamcredentials.\(domain)")
        keys = try Self.url(google.keys, "https://www.\(domain)")
        fleetEngine = try Self.url(google.fleetEngine, "https://fleetengine.\(domain)")
    }

    private static func url(_ given: OutgoingURL?, _ text: String) throws(ConfigurationErrors) -> OutgoingURL {
        if let given { return given }
        do { return try OutgoingURL(text) } catch { throw ConfigurationErrors("google: \(error.sentence)") }
    }
}
