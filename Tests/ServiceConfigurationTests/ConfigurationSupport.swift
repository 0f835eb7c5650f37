@testable import ServiceConfiguration

/// What a configuration was refused with, one sentence a line, or "accepted".
func refusal(
    of yaml: String? = nil, flags: ConfigurationFlags = ConfigurationFlags(),
    environment: [String: String] = askingNobody
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
    environment: [String: String] = askingNobody
) throws(ConfigurationErrors) -> (configuration: Configuration, warnings: [String]) {
    let document = yaml.map { ConfigurationDocument(name: "token-provider.yaml", bytes: Array($0.utf8)) }
    return try Configuration.resolve(document, flags: flags, environment: environment)
}

/// An environment in which nobody is asked who they are.
let askingNobody = ["TOKEN_PROVIDER_CALLERS": "none"]

/// An environment in which credentials are given, and nothing is said of callers.
let onlyCredentials = ["GOOGLE_APPLICATION_CREDENTIALS": "/keys/google.json"]

/// The same where a proxy on this machine is named, so that nobody is warned of one that is not.
let namingProxy = onlyCredentials.merging(["TOKEN_PROVIDER_PROXIES_TRUSTED": "127.0.0.1"]) { $1 }

/// An environment in which credentials are given and nobody is asked, so that nothing else need be said.
let withCredentials = onlyCredentials.merging(askingNobody) { $1 }
