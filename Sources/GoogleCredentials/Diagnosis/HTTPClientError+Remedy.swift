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
                "open the way to \(endpoint) in firewalls and routes, or name the proxy to it in outgoing.proxy",
                ["curl -v https://\(endpoint)/"])
        case .proxy:
            return Remedy(
                "have the proxy \(proxy ?? "") allow CONNECT to \(endpoint), correct its URL in outgoing.proxy or HTTPS_PROXY, "
                    + "or name \(host) in outgoing.no_proxy",
                ["curl -v --proxy http://\(proxy ?? "") https://\(endpoint)/"])
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
