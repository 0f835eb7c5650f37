/// A request method this server knows (RFC 9110 section 9, RFC 5789); any other is answered 501.
package enum HTTPMethod: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case connect = "CONNECT"
    case options = "OPTIONS"
    case trace = "TRACE"
    case patch = "PATCH"

    /// The method whose name is exactly these bytes; names are case-sensitive (RFC 9110 section 9.1).
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        if range.count == 3, bytes.matches("GET", at: range.lowerBound) {
            self = .get
            return
        }
        for method in HTTPMethod.allCases where bytes.equals(method.rawValue, range) {
            self = method
            return
        }
        return nil
    }
}
