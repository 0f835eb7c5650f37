/// A head that has passed the grammar: where its parts lie in the bytes it was parsed from.
struct RequestHead: Equatable {
    var method: HTTPMethod
    /// The target's path; empty for the asterisk and authority forms.
    var path: Range<Int>
    /// The target's query without its "?"; nil if there is none.
    var query: Range<Int>?
    /// The field lines, with their line ends.
    var fields: Range<Int>
    /// Whether the connection persists after the answer (RFC 9112 section 9.3).
    var isPersistent: Bool
    /// Whether the request was HTTP/1.0, whose clients persist only if the answer says so.
    var isVersion10: Bool
    /// Whether the request says by which id, or in which trace, it is followed.
    var isTraced = false
    var body: RequestBody

    /// The bytes of the head, the empty line included.
    var length: Int { fields.upperBound + 2 }
}

/// What follows a head.
enum RequestBody: Equatable {
    case none
    /// As many bytes, to be read and dropped.
    case discarded(Int)
    /// More than is worth reading, or no telling how much: the connection closes after the answer.
    case unread
}

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
