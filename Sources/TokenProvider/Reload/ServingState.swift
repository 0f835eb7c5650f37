import AuditLog
import Concurrency
import HTTPServer
import Logging
import OpenSSLCrypto
import ServiceConfiguration
import TokenService

/// All that answers requests, made of one loaded configuration. A reload makes the next one beside it and replaces it whole.
final class ServingState: Sendable {
    let configuration: Configuration
    let signers: Signers
    let callers: CallerSetup
    /// What survives a reload.
    let retained: RetainedState
    let router: Router
    let created = ServerTime.now()
    /// What Google signs; nil if every key is here.
    let remote: RemoteSigning?
    private let ownKeySet: [UInt8]

    /// The state of a loaded configuration and its callers; `previous` is nil at the start.
    init(
        _ loaded: LoadedConfiguration, _ callers: CallerSetup, after previous: ServingState? = nil,
        _ audit: AuditRecorder?, logger: Logger
    ) throws {
        (configuration, signers, self.callers) = (loaded.configuration, loaded.signers, callers)
        ownKeySet = try JWKSet.render(loaded.signers.publicKeys())
        remote = try RemoteSigning.make(
            loaded, after: previous?.remote, governor: previous?.retained.governor, logger: logger)
        retained = try RetainedState(loaded, after: previous?.retained, remote, audit, logger: logger)
        router = Router(
            token: try TokenRoute(loaded, callers.gate, retained, remote, audit, logger: logger),
            crossOrigin: CrossOrigin(loaded.configuration.cors), pages: loaded.pages)
        remote?.start()
        if remote != nil || signers.useHardware { retained.remoteMint.start() }
    }

    /// Has cached tokens refreshed, the quota kept, and keys in hardware opened again, by this state, once it serves.
    func takeOver() {
        remote?.takeOver()
        retained.remoteMint.replaceMinters(router.token.minters)
        signers.commit()
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
