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

/// The fields that say where a request ends, who it is for and whether the connection persists: gathered while the
/// head is read, judged at its end.
struct RequestFraming {
    private var host: Range<Int>?
    private(set) var contentLength: Int?
    private var isChunked = false
    private var asksClose = false
    private var asksKeepAlive = false
    private var expectsContinue = false
    private var isTraced = false

    /// Takes note of a field that matters here. Only names of a length that matters are compared.
    mutating func consider(_ bytes: Span<UInt8>, _ field: RequestField) throws(RequestParser.Stop) {
        switch field.name.count {
        case 4 where bytes.equalsIgnoringCase("host", field.name):
            guard host == nil else { throw .rejection(.malformedHost) }
            host = field.value
        case 6 where bytes.equalsIgnoringCase("expect", field.name):
            guard bytes.equalsIgnoringCase("100-continue", field.value) else { throw .rejection(.unknownExpectation) }
            expectsContinue = true
        case 10 where bytes.equalsIgnoringCase("connection", field.name):
            try readConnection(bytes, field.value)
        case 11 where bytes.equalsIgnoringCase("traceparent", field.name),
            12 where bytes.equalsIgnoringCase("x-request-id", field.name):
            isTraced = true
        case 14 where bytes.equalsIgnoringCase("content-length", field.name):
            guard contentLength == nil, !isChunked else { throw .rejection(.conflictingLength) }
            contentLength = try RequestFraming.length(bytes, field.value)
        case 17 where bytes.equalsIgnoringCase("transfer-encoding", field.name):
            guard contentLength == nil, !isChunked else { throw .rejection(.conflictingLength) }
            guard bytes.equalsIgnoringCase("chunked", field.value) else { throw .rejection(.unknownTransferCoding) }
            isChunked = true
        // Gateways that make variables of field names cannot tell these from the two above.
        case 14 where bytes.equalsIgnoringCase("content_length", field.name),
            17 where bytes.equalsIgnoringCase("transfer_encoding", field.name):
            throw .rejection(.malformedField)
        default: return
        }
    }

    /// 1*DIGIT (RFC 9110 section 8.6), and no more than eighteen of them: no list, no sign, nothing that overflows.
    private static func length(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestParser.Stop) -> Int {
        guard !value.isEmpty, value.count <= 18 else { throw .rejection(.malformedLength) }
        var length = 0
        for index in value {
            guard ByteSet.digit.contains(bytes[index]) else { throw .rejection(.malformedLength) }
            length = length * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return length
    }

    /// A list of tokens (RFC 9110 section 7.6.1).
    private mutating func readConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestParser.Stop) {
        var start = value.lowerBound
        while start <= value.upperBound {
            var end = start
            while end < value.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
            let option = bytes.trimmed(start..<end)
            guard bytes.end(of: .token, from: option.lowerBound) >= option.upperBound else {
                throw .rejection(.malformedField)
            }
            if bytes.equalsIgnoringCase("close", option) { asksClose = true }
            if bytes.equalsIgnoringCase("keep-alive", option) { asksKeepAlive = true }
            start = end + 1
        }
    }

    /// Takes the host from elsewhere than a field.
    mutating func take(host: Range<Int>) { self.host = host }

    /// The whole head, or what is wrong with it as a whole; a host that was accepted before is not looked at again.
    @inline(__always)
    func finish(
        _ bytes: Span<UInt8>, _ line: RequestLine, fields: Range<Int>, limits: HTTPLimits, isHostKnown: Bool = false
    ) throws(RequestParser.Stop) -> RequestHead {
        try checkHost(bytes, line, isKnown: isHostKnown)
        // A 1.0 client cannot have meant a transfer coding; something between us may think otherwise.
        if line.isVersion10, isChunked { throw .rejection(.conflictingLength) }
        // 1.0 knows no expectation (RFC 9110 section 10.1.1).
        let body = body(limits, expectsContinue: expectsContinue && !line.isVersion10)
        let persists = line.isVersion10 ? asksKeepAlive && !asksClose : !asksClose
        return RequestHead(
            method: line.method, path: line.target.path, query: line.target.query, fields: fields,
            isPersistent: persists && body != .unread, isVersion10: line.isVersion10, isTraced: isTraced, body: body)
    }

    /// One Host in 1.1, well-formed if there, and the target's own authority where it has one (RFC 9112 section 3.2).
    @inline(__always)
    private func checkHost(
        _ bytes: Span<UInt8>, _ line: RequestLine, isKnown: Bool
    ) throws(RequestParser.Stop) {
        guard let host else {
            guard line.isVersion10 else { throw .rejection(.missingHost) }
            return
        }
        guard isKnown || HostGrammar.accepts(bytes, host) else { throw .rejection(.malformedHost) }
        guard let authority = line.target.authority else { return }
        let (one, other) = (bytes.extracting(authority), bytes.extracting(host))
        guard HostGrammar.areSame(one, other, isSecure: line.target.isSecure) else { throw .rejection(.malformedHost) }
    }

    /// A client that waits for 100 (Continue) is answered at once and its body never asked for.
    private func body(_ limits: HTTPLimits, expectsContinue: Bool) -> RequestBody {
        guard let contentLength else { return isChunked ? .unread : .none }
        if contentLength == 0 { return .none }
        return expectsContinue || contentLength > limits.maxDiscardedBody ? .unread : .discarded(contentLength)
    }
}
