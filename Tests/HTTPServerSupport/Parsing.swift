@testable import HTTPServer

/// Parses raw bytes under the given limits.
func parse(_ bytes: [UInt8], limits: HTTPLimits = HTTPLimits()) -> RequestParser.Result {
    bytes.withUnsafeBytes { RequestParser(limits: limits).parse(Span(_unsafeBytes: $0)) }
}

func parse(_ text: String, limits: HTTPLimits = HTTPLimits()) -> RequestParser.Result {
    parse(Array(text.utf8), limits: limits)
}

/// The bytes of a template with `§` replaced by the byte under test.
func bytes(_ template: String, with byte: UInt8) -> [UInt8] {
    template.unicodeScalars.flatMap { $0 == "§" ? [byte] : Array(String($0).utf8) }
}

/// The bytes for which the parsed template satisfies the predicate.
func bytes(
    accepting template: String, where isAccepted: (RequestParser.Result) -> Bool = \.isRequest
) -> Set<UInt8> {
    Set((UInt8.min...UInt8.max).filter { isAccepted(parse(bytes(template, with: $0))) })
}

extension RequestParser.Result {
    var isRequest: Bool { head != nil }

    var head: RequestHead? {
        if case .request(let head) = self { head } else { nil }
    }

    var rejection: RequestRejection? {
        if case .rejection(let reason) = self { reason } else { nil }
    }

    /// Whether the request line is well-formed; its method may be unknown.
    var hasWellFormedLine: Bool { isRequest || rejection == .unknownMethod }
}

/// The character sets of the RFCs, written independently of the parser.
enum Characters {
    static let letters = Set(UInt8(ascii: "a")...UInt8(ascii: "z")).union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    static let digits = Set(UInt8(ascii: "0")...UInt8(ascii: "9"))
    static let hexadecimal = digits.union(UInt8(ascii: "a")...UInt8(ascii: "f"))
        .union(UInt8(ascii: "A")...UInt8(ascii: "F"))
    /// Any VCHAR, except delimiters (RFC 9110 section 5.6.2).
    static let token = Set<UInt8>(0x21...0x7e).subtracting("\"(),/:;<=>?@[\\]{}".utf8)
    static let unreserved = letters.union(digits).union("-._~".utf8)
    static let subDelimiters = Set("!$&'()*+,;=".utf8)
    static let pathCharacters = unreserved.union(subDelimiters).union(":@/".utf8)
    /// SP, HTAB, VCHAR and obs-text (RFC 9110 section 5.5).
    static let fieldValue = Set<UInt8>(0x20...0x7e).union(0x80...0xff).union([0x09])
}

/// A generator whose numbers depend only on the seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// Parses a request with these header lines, and passes it to the body.
func withRequest<Value>(
    _ fields: [String], peer: IPAddress? = nil, _ body: (borrowing HTTPRequest) throws -> Value
) throws -> Value {
    let lines = fields.map { "\($0)\r\n" }.joined()
    let bytes = Array("GET /token HTTP/1.1\r\nHost: test\r\n\(lines)\r\n".utf8)
    return try bytes.withUnsafeBytes { buffer in
        let parsed = RequestParser(limits: HTTPLimits()).parse(Span(_unsafeBytes: buffer))
        guard case .request(let head) = parsed else { throw NoRequest() }
        return try body(HTTPRequest(bytes: buffer, head: head, peer: peer, requestID: 0))
    }
}

private struct NoRequest: Error {}
