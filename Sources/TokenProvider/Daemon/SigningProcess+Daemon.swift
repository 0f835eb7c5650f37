import Confinement
import Glibc
import HTTPServer
import Logging
import SeparateSigning
import ServiceConfiguration
import TokenService

extension SigningProcess {
    /// Starts the process that a configuration asks for; nil if keys are to be in this one.
    static func start(
        _ configuration: Configuration, logger: Logger
    ) throws(SigningProcessError) -> SigningProcess? {
        guard configuration.signing.process == .separate else { return nil }
        var settings = ServerSettings()
        settings.loops = configuration.http.loops
        return try SigningProcess(
            threads: settings.loopCount, isConfined: configuration.sandbox == .auto
        ) { change in
            change.log(to: logger)
            // The service manager starts the daemon again: its status says that this is a failure.
            if case .lost = change { kill(getpid(), SIGTERM) }
        }
    }

    /// The other side, until the daemon ends. `arguments` are those of the program.
    static func runOtherSide(_ arguments: [String]) {
        ProcessSetup.prepare()
        let isConfined = arguments.last == "confined"
        KeyServer.run {
            guard isConfined else { return }
            var profile = SandboxProfile(places: nil)
            (profile.opensSockets, profile.forks) = (false, true)
            _ = Sandbox.install(profile)
        } load: { order in
            let loaded = KeyLoading.load(order)
            if order.isConfined {
                var profile = SandboxProfile(places: [:])
                profile.opensSockets = false
                _ = Sandbox.install(profile)
            }
            return loaded
        }
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
