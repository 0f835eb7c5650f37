import HTTPClient
import ServiceConfiguration

/// Where Google signs, publishes keys and takes tokens.
struct GoogleEndpoints {
    let signing: OutgoingURL
    let keys: OutgoingURL
    let fleetEngine: OutgoingURL

    /// The configured endpoints, or those of the universe domain.
    init(_ google: Configuration.Google) throws(ConfigurationErrors) {
        let domain = google.universeDomain
        signing = try Self.url(google.iamCredentials, "https://iamcredentials.\(domain)")
        keys = try Self.url(google.keys, "https://www.\(domain)")
        fleetEngine = try Self.url(google.fleetEngine, "https://fleetengine.\(domain)")
    }

    private static func url(_ given: OutgoingURL?, _ text: String) throws(ConfigurationErrors) -> OutgoingURL {
        if let given { return given }
        do { return try OutgoingURL(text) } catch { throw ConfigurationErrors("google: \(error.sentence)") }
    }
}
