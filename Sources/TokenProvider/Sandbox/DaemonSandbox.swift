import Confinement
import Logging
import ServiceConfiguration
import SystemFiles
import TokenService

/// The sandbox of the daemon, if its configuration has one.
struct DaemonSandbox {
    /// Nil without a sandbox.
    private let report: SandboxReport?
    private let limitsFiles: Bool

    /// Confines the process for good. Call it once the keys are loaded, which may need modules and processes of their
    /// own, and before anything starts a thread.
    init(
        _ values: ConfigurationValues, _ signers: Signers, file: String? = nil,
        notifying manager: ServiceManager? = nil,
        _ environment: [String: String] = [:]
    ) {
        guard values.sandbox == .auto else {
            (report, limitsFiles) = (nil, false)
            return
        }
        let profile = SandboxProfile(values, signers, file: file, notifying: manager, environment)
        let report = Sandbox.install(profile)
        (self.report, limitsFiles) = (report, profile.places != nil && report.usesLandlock)
    }

    /// What the kernel does not offer, a sentence each.
    var warnings: [String] { report?.warnings ?? [] }

    func log(to logger: Logger) {
        if let sentence = report?.sentence { logger.info("\(sentence)") }
    }

    /// Throws if a reloaded configuration names what only a restart can allow. Files that the daemon reads itself have
    /// errors that say so.
    func check(_ values: ConfigurationValues) throws(ConfigurationErrors) {
        guard limitsFiles else { return }
        if values.pkcs11.module != nil {
            throw ConfigurationErrors(sentences: [
                "pkcs11.module: is new, and the sandbox of a start without it does not allow the files that a module "
                    + "needs; restart to apply"
            ])
        }
        if let path = values.outgoing.caFile { try open(path, of: "outgoing.ca_file") }
        if case .path(let path) = values.signing.batch { try open(path, of: "signing.batch") }
    }

    /// Libraries open these, with errors of their own.
    private func open(_ path: String, of setting: String) throws(ConfigurationErrors) {
        try ConfigurationErrors.wrapping(setting) { () throws(SystemFileError) in
            _ = try SystemFile(path: path)
        } sentence: {
            "\(path) \($0.predicate)"
        }
    }
}
