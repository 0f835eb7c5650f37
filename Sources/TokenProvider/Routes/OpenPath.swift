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
