import HTTPServer

/// The paths that anybody may ask, whoever they are: none of them knows how to come by a token.
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
