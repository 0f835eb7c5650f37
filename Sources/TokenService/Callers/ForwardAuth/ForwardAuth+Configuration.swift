import CallerAccess
import HTTPClient
import Logging
import ServiceConfiguration

extension ForwardAuth {
    /// Nil if the configuration names no back end, or does not authenticate callers.
    package convenience init?(
        _ values: Configuration, by egress: Egress, logger: Logger
    ) throws(ConfigurationErrors) {
        let settings = values.forwardAuth
        guard let url = settings.url, values.callers != .unauthenticated else { return nil }
        let client = try OutgoingClient.make(
            "forward_auth",
            HTTPClientSettings(
                maxConnections: settings.maxConnections, maxConnectionsPerHost: settings.maxConnections,
                maxWaiting: settings.maxWaiting, egress: egress))
        let endpoint = BackEndEndpoint(
            url, by: settings.method, passing: settings.headers, timeout: settings.timeout,
            answeringBy: settings.body, client: client)
        let time = Int64(settings.cacheTime / .milliseconds(1))
        self.init(
            endpoint, caching: time > 0 ? DecisionCache(maxBytes: settings.cacheBytes, time: time) : nil,
            logger: logger)
    }
}
