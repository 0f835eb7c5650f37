/// Collects an answer within its limits: the lines of the head, then pieces of the body.
struct AnswerCollector {
    /// How many bytes all fields may have; libcurl limits only each line.
    static let maxFieldBytes = 65_536

    private let maxBodyBytes: Int
    private var fields: [HTTPClientField] = []
    private var fieldBytes = 0
    private var body: [UInt8] = []
    /// Whether the last head that started is complete.
    private(set) var isHeadComplete = false
    /// The first limit that was exceeded.
    private(set) var excess: HTTPClientError.Cause?

    init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

    /// Takes a line of the head including its line end; false once a limit is exceeded.
    mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        fieldBytes += line.count
        guard fieldBytes <= Self.maxFieldBytes else {
            excess = .tooLarge(part: "headers", limit: Self.maxFieldBytes)
            return false
        }
        if body.isEmpty, line.starts(with: "HTTP/".utf8) {
            // Only the last head counts: interim ones (RFC 9110 section 15.2) come before it.
            fields = []
            isHeadComplete = false
        } else if line.allSatisfy({ $0 == 13 || $0 == 10 }) {
            // Later fields are trailers, which must not be treated as header fields (RFC 9110 section 6.5.1).
            isHeadComplete = true
        } else if !isHeadComplete, let field = Self.field(line) {
            fields.append(field)
        }
        return true
    }

    /// Takes a piece of the body; false once the limit is exceeded.
    mutating func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= maxBodyBytes - body.count else {
            excess = .tooLarge(part: "a body", limit: maxBodyBytes)
            return false
        }
        body += piece
        return true
    }

    /// The answer; `length` is that of its body as the head says, nil if the head does not say it.
    func response(status: Int, length: Int?, through proxy: String? = nil) -> HTTPClientResponse {
        // Lengths that differ prove nothing; libcurl takes the last one.
        let isOneLength = fields.filter { $0.name == "content-length" }.allSatisfy { $0.value == "\(body.count)" }
        let codings = fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
        // RFC 9112 section 6.3. libcurl has refused a body that is shorter, or that lacks the last chunk. It does not undo
        // every other coding, and RFC 9112 section 7.4 allows none, as no request has a field TE.
        let isProven =
            codings.isEmpty
            ? status == 204 || status == 304 || length == body.count && isOneLength : codings == ["chunked"]
        return HTTPClientResponse(
            status: status, fields: fields, body: HTTPClientBody(body, isProven: isProven), proxy: proxy)
    }

    /// Nil if the line is not a field, such as a continued line (RFC 9112 section 5.2).
    private static func field(_ line: UnsafeRawBufferPointer) -> HTTPClientField? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let end = (line.lastIndex { $0 != 13 && $0 != 10 } ?? colon) + 1
        guard let name = String(validating: line[..<colon], as: UTF8.self),
            let value = String(validating: line[(colon + 1)..<end], as: UTF8.self)
        else { return nil }
        return try? HTTPClientField(received: name, value)
    }
}
