import FleetEngineToken
import Logging
import Testing

@testable import ServiceConfiguration
@testable import TokenService

/// The settings of a configuration file that has credentials and serves every kind.
func callerValues(_ yaml: String) throws(ConfigurationErrors) -> Configuration {
    let environment = [
        "TOKEN_PROVIDER_CREDENTIALS": "/keys/google.json",
        "TOKEN_PROVIDER_KINDS_ENABLED": TokenKind.allCases.map(\.rawValue).joined(separator: ","),
    ]
    let document = ConfigurationDocument(name: "token-provider.yaml", bytes: Array(yaml.utf8))
    return try Configuration.read(document, flags: ConfigurationFlags(), environment: environment).configuration()
        .configuration
}

/// The errors of the files that a configuration names.
func callerErrors(_ yaml: String) throws -> [String] {
    do throws(ConfigurationErrors) {
        _ = try CallerSetup(try callerValues(yaml), logger: .silent)
        return []
    } catch {
        return error.sentences
    }
}
