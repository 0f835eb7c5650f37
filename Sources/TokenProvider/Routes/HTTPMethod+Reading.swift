import HTTPServer

extension HTTPMethod {
    /// Those that routes answer, as `Allow` names them.
    static let readingNames = "GET, HEAD"

    /// Whether it is one of those.
    var reads: Bool { self == .get || self == .head }
}
