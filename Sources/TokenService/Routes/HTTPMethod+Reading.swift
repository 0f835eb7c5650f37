import HTTPServer

extension HTTPMethod {
    /// Those that routes answer, as `Allow` names them.
    package static let readingNames = "GET, HEAD"

    /// Whether it is one of those.
    package var reads: Bool { self == .get || self == .head }
}
