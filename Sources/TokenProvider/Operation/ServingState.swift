import AuditLog
import FleetEngineToken
import HTTPServer
import Logging
import ServiceConfiguration
import TokenService

/// All that answers requests, made of one loaded configuration: a reload makes the next beside it and swaps it whole.
final class ServingState: Sendable {
    let configuration: Configuration
    let signers: Signers
    let callers: CallerSetup
    /// What goes on from state to state.
    let retained: RetainedState
    let router: Router
    /// When it was made.
    let made = ServerTime.now()
    /// The answers of the admin listener that stay the same.
    let documents: AdminDocuments

    /// The state of what was loaded, with callers of the same configuration, after a previous state if there is one.
    init(
        _ loaded: LoadedConfiguration, _ callers: CallerSetup, after previous: ServingState? = nil,
        _ audit: AuditRecorder?, logger: Logger
    ) throws {
        (configuration, signers, self.callers) = (loaded.configuration, loaded.signers, callers)
        documents = try AdminDocuments(loaded.signers)
        retained = try RetainedState(loaded, after: previous?.retained, audit, logger: logger)
        router = Router(
            token: try TokenRoute(loaded, callers.gate, retained, audit, logger: logger),
            crossOrigin: CrossOrigin(loaded.configuration.cors))
    }
}
