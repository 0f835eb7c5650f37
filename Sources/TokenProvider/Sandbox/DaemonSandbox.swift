import Confinement
import Glibc
import Logging
import SeparateSigning
import ServiceConfiguration
import SystemFiles
import TokenService

/// The sandbox of the daemon, if its configuration has one.
struct DaemonSandbox {
    /// Nil without a sandbox.
    private let report: SandboxReport?
    private let limitsFiles: Bool
    /// How far key files of another process are out of reach.
    private let reach: [String]

    /// Confines the process for good. Call it before anything starts a thread, and once the keys are loaded. With a module for
    /// keys in hardware, call it before: modules start threads, and may use any file, now and later.
    init(
        _ values: Configuration, _ signers: Signers?, file: String? = nil,
        notifying manager: ServiceManager? = nil,
        _ environment: [String: String] = [:]
    ) {
        guard values.sandbox == .auto else {
            (report, limitsFiles, reach) = (nil, false, [])
            return
        }
        var profile = SandboxProfile(values, signers, file: file, notifying: manager, environment)
        reach = profile.withhold(keyFiles: signers?.separateFiles(environment) ?? values.separateCredentials)
        let report = Sandbox.install(profile)
        (self.report, limitsFiles) = (report, profile.places != nil && report.usesLandlock)
    }

    /// What the kernel does not offer, and what is unwise about the places of key files, a sentence each.
    var warnings: [String] { (report?.warnings ?? []) + reach }

    func log(to logger: Logger) { logger.note([report?.sentence].compactMap(\.self)) }

    /// Throws if this process can read a key file of another process: it came after the start, or has another path.
    func check(_ signers: Signers, _ environment: [String: String]) throws(ConfigurationErrors) {
        guard limitsFiles else { return }
        let mounts = MountTable()
        for file in signers.separateFiles(environment) {
            var status = stat()
            let isLinked = stat(file, &status) == 0 && status.st_nlink > 1
            let isReadable = mounts.paths(of: file).contains { path in
                // Nothing can be said of a path that is not UTF-8.
                path.contains("\u{FFFD}") || Sandbox.canRead(path) && RealPath.leadToSame(path, file)
            }
            guard isLinked || isReadable else { continue }
            throw ConfigurationErrors(
                "signing.process: the serving process can read the key file \(file): "
                    + (isLinked
                        ? "it has a second name (a hard link)"
                        : "it was not there at the start, or a mount shows its folder in another place")
                    + "; expected key files with one name in a folder of their own, and a restart")
        }
    }

    /// Throws if a reloaded configuration names what only a restart can allow. Files that the daemon reads itself have
    /// errors that say so.
    func check(_ values: Configuration) throws(ConfigurationErrors) {
        guard limitsFiles else { return }
        if values.pkcs11.module != nil {
            throw ConfigurationErrors(
                "pkcs11.module: is new, and the sandbox of a start without it does not allow the files that a module "
                    + "needs; restart to apply")
        }
        if case .path(let path) = values.signing.batch { try open(path, of: "signing.batch") }
    }

    /// A library opens it, with errors of its own.
    private func open(_ path: String, of setting: String) throws(ConfigurationErrors) {
        do { _ = try SystemFile(path: path) } catch {
            throw ConfigurationErrors("\(setting): \(path) \(error.predicate)")
        }
    }
}

extension Configuration {
    /// What another process loads.
    fileprivate var separateCredentials: [String] {
        signing.process == .separate ? KeyTerms(self).keys.map(\.credentials) : []
    }
}

extension SandboxProfile {
    /// Withholds the key files of another process. Returns warnings.
    fileprivate mutating func withhold(keyFiles: [String]) -> [String] {
        guard !keyFiles.isEmpty else { return [] }
        guard places != nil else {
            return [
                "signing.process: pkcs11.module may use any file, so that the serving process can read the key files too; "
                    + "expected keys in hardware alone, or none"
            ]
        }
        let folders = withhold(keyFiles)
        guard !folders.isEmpty else { return [] }
        return [
            "signing.process: key files are in \(folders.joined(separator: ", ")), where the serving process reads other "
                + "files: one that is replaced is unreadable until a restart; expected key files in a folder of their own, "
                + "outside /etc and /usr"
        ]
    }
}
