import FleetEngineToken

@testable import ServiceConfiguration

/// An environment in which callers are not authenticated.
let withoutAuthentication = ["TOKEN_PROVIDER_CALLERS": "none"]

/// An environment with credentials and without caller settings.
let onlyCredentials = ["GOOGLE_APPLICATION_CREDENTIALS": "/keys/google.json"]

/// The same where every kind is served, those that open the whole fleet included.
let servingEveryKind = [
    "TOKEN_PROVIDER_CREDENTIALS": "/keys/google.json",
    "TOKEN_PROVIDER_KINDS_ENABLED": TokenKind.allCases.map(\.rawValue).joined(separator: ","),
]

/// The settings of a configuration file that has credentials and serves every kind.
func callerValues(_ yaml: String) throws(ConfigurationErrors) -> Configuration {
    let document = ConfigurationDocument(name: "token-provider.yaml", bytes: Array(yaml.utf8))
    return try Configuration.read(document, flags: ConfigurationFlags(), environment: servingEveryKind).configuration()
        .configuration
}
