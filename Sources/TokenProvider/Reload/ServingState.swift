import AuditLog
import Concurrency
import HTTPClient
import HTTPServer
import Logging
import OpenSSLCrypto
import ServiceConfiguration
import TokenService

/// All that answers requests, made of one loaded configuration. A reload loads the next one beside it, starts it, replaces
/// this one whole, and retires it.
final class ServingState: Sendable {
    let configuration: Configuration
    let signers: Signers
    let callers: CallerSetup
    let tls: TLSSetup
    /// The server's limits and timeouts.
    let server: ServerSettings
    /// What survives a reload.
    let retained: RetainedState
    let router: Router
    let created = ServerTime.now()
    /// What Google signs; nil if every key is here.
    let remote: RemoteSigning?
    /// Nil if nothing asks whether Google publishes the keys that are here.
    let publication: KeyPublication?
    /// Settings and files that are allowed but unwise, a sentence each.
    let warnings: [String]
    private let ownKeySet: [UInt8]

    /// The state of a loaded configuration and its parts; `previous` is nil at the start, which opens the audit log. Throws the
    /// errors of the parts first. If Google signs for the account of the machine, the metadata server is asked for its name.
    init(
        _ loaded: LoadedConfiguration, _ parts: ServingParts, after previous: ServingState? = nil, logger: Logger,
        openingAudit: () throws -> AuditRecorder? = { nil }
    ) throws {
        guard parts.errors.sentences.isEmpty, let callers = parts.callers, let tls = parts.tls,
            let server = parts.server
        else { throw parts.errors }
        (configuration, signers, self.callers) = (loaded.configuration, loaded.signers, callers)
        (self.tls, self.server, warnings) = (tls, server, loaded.warnings + parts.warnings)
        ownKeySet = try JWKSet.render(loaded.signers.publicKeys())
        let audit = if let previous { previous.retained.audit } else { try openingAudit() }
        remote = try RemoteSigning.make(
            loaded, after: previous?.remote, governor: previous?.retained.governor, logger: logger)
        publication = try KeyPublication(
            loaded.signers, loaded.configuration, after: previous?.publication, logger: logger)
        retained = try RetainedState(loaded, after: previous?.retained, remote, audit, logger: logger)
        router = Router(
            token: try TokenRoute(loaded, callers.gate, retained, remote, logger: logger),
            crossOrigin: CrossOrigin(loaded.configuration.cors), pages: loaded.pages,
            below: loaded.configuration.request.pathPrefix ?? "")
    }

    /// The next state of a reload, or all errors.
    static func load(
        _ loaded: LoadedConfiguration, after previous: ServingState, logger: Logger
    ) throws(ConfigurationErrors) -> ServingState {
        let parts = ServingParts(loaded.configuration, after: previous, logger: logger)
        do { return try ServingState(loaded, parts, after: previous, logger: logger) } catch {
            throw error as? ConfigurationErrors ?? ConfigurationErrors("\(error)")
        }
    }

    /// Begins fetches and refreshes, by this state's settings from now on.
    func start() {
        callers.start()
        remote?.start()
        publication?.start()
        retained.remoteMint.start(signingBy: router.token.minters, renews: remote != nil || signers.useHardware)
        signers.start()
        tls.start()
    }

    /// Starts after a previous state, once each new issuer has keys; throws if one has none.
    func start(after previous: ServingState) throws(ConfigurationErrors) {
        try callers.start(after: previous.callers)
        start()
    }

    /// Logs how requests to other services leave, if a proxy is or was between.
    func noteWay(after previous: ServingState?, to logger: Logger) {
        guard !callers.egress.isDirect || previous?.callers.egress.isDirect == false else { return }
        logger.note([callers.egress.way], at: .notice)
    }

    /// Ends what only this state uses. What its last requests still use ends with them.
    func retire(for next: ServingState?) {
        callers.retire(for: next?.callers)
        if let next { signers.retire(for: next.signers) }
    }

    /// The signers' public keys as a JWK set (RFC 7517 section 5), those of remote accounts as far as they were fetched.
    var keySet: [UInt8] { JWKSet.joined([ownKeySet] + (remote?.keySets ?? [])) }
}

/// A value that a reload replaces whole. A reader takes it once and keeps it, so that it never mixes two of them.
final class Swappable<Value: Sendable>: Sendable {
    private let value: Guarded<Value>

    init(_ value: Value) { self.value = Guarded(value) }

    var now: Value { value.withLock { $0 } }

    func replace(by new: Value) { value.withLock { $0 = new } }
}
