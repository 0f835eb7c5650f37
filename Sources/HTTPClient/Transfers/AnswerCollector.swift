/// An answer as it comes in, bounded: fields a line at a time, then pieces of the body.
struct AnswerCollector {
    /// How many bytes the fields may have in all; libcurl bounds only each line.
    static let maxFieldBytes = 65_536

    private let maxBodyBytes: Int
    private var fields: [HTTPClientField] = []
    private var fieldBytes = 0
    private var body: [UInt8] = []
    /// Whether the last head that began has come to its end.
    private(set) var isHeadOver = false
    /// The first thing that was over its limit.
    private(set) var excess: HTTPClientError.Cause?

    init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

    /// Takes a line of the head with its end; false once there is too much.
    mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        fieldBytes += line.count
        guard fieldBytes <= Self.maxFieldBytes else {
            excess = .tooLarge(part: "fields", limit: Self.maxFieldBytes)
            return false
        }
        if body.isEmpty, line.starts(with: "HTTP/".utf8) {
            // Only the last head counts: interim ones (RFC 9110 section 15.2) come before it.
            fields = []
            isHeadOver = false
        } else if line.allSatisfy({ $0 == 13 || $0 == 10 }) {
            // What comes now is a trailer, which must not be taken for a field (RFC 9110 section 6.5.1).
            isHeadOver = true
        } else if !isHeadOver, let field = Self.field(line) {
            fields.append(field)
        }
        return true
    }

    /// Takes a piece of the body; false once there is too much.
    mutating func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= maxBodyBytes - body.count else {
            excess = .tooLarge(part: "a body", limit: maxBodyBytes)
            return false
        }
        body += piece
        return true
    }

    /// The whole answer.
    func response(status: Int) -> HTTPClientResponse {
        HTTPClientResponse(status: status, fields: fields, body: body)
    }

    /// Nil for what is no field, such as a continued line (RFC 9112 section 5.2).
    private static func field(_ line: UnsafeRawBufferPointer) -> HTTPClientField? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let end = (line.lastIndex { $0 != 13 && $0 != 10 } ?? colon) + 1
        guard let name = String(validating: line[..<colon], as: UTF8.self),
            let value = String(validating: line[(colon + 1)..<end], as: UTF8.self)
        else { return nil }
        return try? HTTPClientField(name, value)
    }
}
