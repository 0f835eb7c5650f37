import Confinement
import SeparateSigning
import ServiceConfiguration
import TokenService

extension ConfigurationRule {
    /// The rules without which the daemon does not start, with those of its sandbox.
    static func ofDaemon(_ environment: [String: String]) -> [ConfigurationRule] {
        binding + separateKeys(environment)
    }

    /// Where the serving process writes or listens there must be no key files of another process: the sandbox gives rights to
    /// whole folders.
    private static func separateKeys(_ environment: [String: String]) -> [ConfigurationRule] {
        let listeners = Configuration.ListeningKey.allCases.map { key in
            separateKeys(key.rawValue, environment) { $0.listeners(of: key).compactMap(\.address.socketFile) }
        }
        return listeners + [
            separateKeys("audit.file", environment) { [$0.audit.file].compactMap(\.self) },
            separateKeys("audit.checkpoints", environment) {
                if case .file(let path)? = $0.audit.checkpoints { [path] } else { [] }
            },
        ]
    }

    private static func separateKeys(
        _ key: String, _ environment: [String: String], of paths: @escaping @Sendable (Configuration) -> [String]
    ) -> ConfigurationRule {
        ConfigurationRule(keys: [key, "signing.process"], namesKeys: true) { values in
            guard values.signing.process == .separate, values.sandbox == .auto else { return nil }
            var profile = SandboxProfile(places: [:])
            for path in paths(values) { profile.allow(.write, leadingTo: path) }
            let files = KeyTerms(values).keys.map(\.credentials).flatMap {
                KeyLoading.files(of: $0, environment, isSearched: $0 == Configuration.applicationDefault)
            }
            guard let file = files.first(where: profile.includes) else { return nil }
            return "\(key) is in a folder of the key file \(file), which the process that writes there must not read; "
                + "expected another folder, or signing.process: inside"
        }
    }
}
