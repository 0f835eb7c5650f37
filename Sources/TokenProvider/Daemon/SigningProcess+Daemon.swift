import Confinement
import Glibc
import HTTPServer
import Logging
import SeparateSigning
import ServiceConfiguration
import SystemFiles
import TokenService

extension SigningProcess {
    /// Starts the process that a configuration asks for; nil if keys are to be in this one.
    static func start(
        _ configuration: Configuration, logger: Logger
    ) throws(SigningProcessError) -> SigningProcess? {
        guard configuration.signing.process == .separate else { return nil }
        var settings = ServerSettings()
        settings.loops = configuration.http.loops
        return try SigningProcess(threads: settings.loopCount, KeyTerms(configuration)) { change in
            change.log(to: logger)
            // The service manager starts the daemon again: its status says that this is a failure.
            if case .lost = change { kill(getpid(), SIGTERM) }
        }
    }

    /// The other side, until the daemon ends.
    static func runOtherSide() {
        ProcessSetup.prepare()
        KeyServer.run { terms in
            terms.isConfined ? confine(to: .loading, SandboxProfile(loading: terms, Environment.variables())) : []
        } load: { terms, tellsErrors in
            var loaded = KeyLoading.load(terms, tellsErrors: tellsErrors)
            if terms.isConfined { loaded.report.warnings += confine(to: .signing, SandboxProfile(places: [:])) }
            return loaded
        }
    }

    /// Confines such a process. Returns what the kernel does not offer, a sentence each.
    private static func confine(to calls: SandboxProfile.Calls, _ profile: SandboxProfile) -> [String] {
        var profile = profile
        profile.calls = calls
        return Sandbox.install(profile).warnings.map { "signing.process: \($0)" }
    }
}

extension SigningProcess.Change {
    /// One line for each change.
    fileprivate func log(to logger: Logger) {
        switch self {
        case .ended: logger.error("the signing process ended; no tokens are signed until it runs again")
        case .failing(let reason):
            logger.error("the signing process cannot be started", metadata: ["reason": "\(reason)"])
        case .restarted: logger.notice("the signing process runs again")
        case .lost: logger.error("the process that starts the signing process ended; ending, for a restart")
        }
    }
}
