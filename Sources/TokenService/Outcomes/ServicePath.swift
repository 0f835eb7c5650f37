import HTTPServer

/// Paths as clients send them, and as the access log and metrics name routes.
package enum ServicePath {
    /// Token requests: this path, and everything below it.
    static let token = "/token"
}

/// The paths that need no credentials; none of them can return a token.
enum OpenPath: String, CaseIterable {
    case health = "/healthz"

    /// Nil for every other path.
    init?(_ request: borrowing HTTPRequest) {
        guard request.hasPath("/healthz") else { return nil }
        self = .health
    }
}

/// The paths of the admin listener.
package enum AdminPath: String, CaseIterable {
    case health = "/healthz"
    case readiness = "/readyz"
    case metrics = "/metrics"
    case version = "/version"
    case keys = "/.well-known/jwks.json"
    case reload = "/reload"

    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
