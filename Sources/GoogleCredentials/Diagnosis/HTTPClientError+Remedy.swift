import FleetEngineToken
import HTTPClient

extension HTTPClientError {
    /// What to do about a request without an answer.
    package var remedy: Remedy {
        let host = String(endpoint[..<(endpoint.lastIndex(of: ":") ?? endpoint.endIndex)])
        switch cause {
        case .unresolved, .timeout(.resolving, _):
            return Remedy("let this machine's DNS resolver find \(host)", ["getent hosts \(host)"])
        case .cannotConnect, .timeout(.connecting, _):
            return Remedy(
                "open the way to \(endpoint) in firewalls and routes; proxies of the environment are not used",
                ["curl -v https://\(endpoint)/"])
        case .tls, .timeout(.securing, _):
            return Remedy(
                "stop what intercepts TLS on the way to \(endpoint), or name its authority in outgoing.ca_file",
                ["curl -v https://\(endpoint)/"])
        case .timeout(.waiting, _), .timeout(.answering, _), .timeout(.late, _), .busy, .shutDown, .other:
            return Remedy("wait a minute; if this stays, ask who runs the network between here and \(endpoint)")
        case .tooLarge, .redirect:
            return Remedy("set the endpoints in google to Google's own, or to what forwards to them unchanged")
        }
    }
}
