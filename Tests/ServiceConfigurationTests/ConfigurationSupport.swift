import FleetEngineToken

@testable import ServiceConfiguration

/// The errors of a configuration, one on each line, or "accepted".
func refusal(
    of yaml: String? = nil, flags: ConfigurationFlags = ConfigurationFlags(),
    environment: [String: String] = withoutAuthentication
) -> String {
    do {
        _ = try resolve(yaml, flags: flags, environment: environment)
        return "accepted"
    } catch {
        return error.description
    }
}

/// The configuration of a file `token-provider.yaml` that holds `yaml`.
func resolve(
    _ yaml: String? = nil, flags: ConfigurationFlags = ConfigurationFlags(),
    environment: [String: String] = withoutAuthentication
) throws(ConfigurationErrors) -> (configuration: Configuration, warnings: [String]) {
    let document = yaml.map { ConfigurationDocument(name: "token-provider.yaml", bytes: Array($0.utf8)) }
    return try Configuration.read(document, flags: flags, environment: environment).configuration()
}

/// An environment in which callers are not authenticated.
let withoutAuthentication = ["TOKEN_PROVIDER_CALLERS": "none"]

/// An environment with credentials and without caller settings.
let onlyCredentials = ["GOOGLE_APPLICATION_CREDENTIALS": "/keys/google.json"]

/// The same where every kind is served, those that open the whole fleet included.
let servingEveryKind = [
    "TOKEN_PROVIDER_CREDENTIALS": "/keys/google.json",
    "TOKEN_PROVIDER_KINDS_ENABLED": TokenKind.allCases.map(\.rawValue).joined(separator: ","),
]

/// An environment with credentials and a proxy on this machine, which avoids the warning about a missing one.
let namingProxy = onlyCredentials.merging(["TOKEN_PROVIDER_PROXIES_TRUSTED": "127.0.0.1"]) { $1 }

/// An environment with credentials and without authentication, which needs no other settings.
let withCredentials = onlyCredentials.merging(withoutAuthentication) { $1 }
