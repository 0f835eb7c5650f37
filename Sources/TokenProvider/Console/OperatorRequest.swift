import HTTPServer

/// What tells a request of an operator from one that a web page made a browser send.
///
/// Any client that reaches the admin listener may request a reload, but not a web page of another origin. Such a page cannot
/// send the header without a preflight, which is refused, and cannot hide its origin (Fetch Standard section 3.2). The
/// listener's own page has the origin that `Host` names, which is checked before.
enum OperatorRequest {
    /// The header that a request must have, with the last part of the path as its value.
    static let header = "Token-Provider-Request"

    /// Whether the request has the header with this value, and no web page of another origin has sent it.
    static func isMeant(_ request: borrowing HTTPRequest, as value: String) -> Bool {
        guard request.field("token-provider-request") == value else { return false }
        let origins = request.values(of: "origin").map { String(decoding: $0, as: UTF8.self) }
        guard let origin = origins.first else { return true }
        guard origins.count == 1, let host = request.field("host")?.lowercased() else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
