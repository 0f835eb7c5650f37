import HTTPClient

/// What has come of an answer, within its limits.
struct StreamAnswer {
    /// How many bytes all fields may have, names and values.
    static let maxFieldBytes = 65_536

    private let maxBodyBytes: Int
    private var status = 0
    private var fields: [HTTPClientField] = []
    private var fieldBytes = 0
    private var body: [UInt8] = []
    private var isTrailer = false
    /// Whether its last byte has come.
    private(set) var isComplete = false
    /// The first limit that was exceeded.
    private(set) var excess: HTTPClientError.Cause?

    init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

    /// Fields begin. Only the last ones before the body count, since interim answers (RFC 9110 section 15.2) come before
    /// them; those after it are trailers, which must not be treated as header fields (section 6.5.1).
    mutating func beginFields() {
        isTrailer = hasFinalStatus
        guard !isTrailer else { return }
        (status, fields) = (0, [])
    }

    /// Takes a field; false once a limit is exceeded.
    mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ known: inout KnownFields)
        -> Bool
    {
        fieldBytes += name.count + value.count
        guard fieldBytes <= Self.maxFieldBytes else {
            excess = .tooLarge(part: "headers", limit: Self.maxFieldBytes)
            return false
        }
        if isTrailer { return true }
        if name.first == UInt8(ascii: ":") {
            status = Self.status(value)
        } else if let field = known.field(fields.count, name, value) {
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

    /// The last byte has come.
    mutating func end() { isComplete = true }

    /// How the stream has ended.
    var outcome: StreamOutcome {
        if let excess { return .failed(excess, status: status) }
        guard isComplete, hasFinalStatus else { return .failed(.other(reason: "the answer ends before its end")) }
        let response = HTTPClientResponse(status: status, fields: fields, body: body)
        // As for libcurl: only the original endpoint may see the body.
        let isMoved = [301, 302, 303, 307, 308].contains(status) && !response.values(of: "location").isEmpty
        return isMoved ? .failed(.redirect(reason: "only a GET is redirected")) : .answered(response)
    }

    private var hasFinalStatus: Bool { status >= 200 }

    /// The library has checked that there are three digits (RFC 9113 section 8.3.2).
    private static func status(_ value: UnsafeRawBufferPointer) -> Int {
        value.prefix(3).reduce(0) { 10 * $0 + Int($1 &- UInt8(ascii: "0")) }
    }
}

/// How a stream ended.
enum StreamOutcome {
    case answered(HTTPClientResponse)
    /// The status is that of an answer that was too large.
    case failed(HTTPClientError.Cause, status: Int? = nil)
    /// The server has not processed the request (RFC 9113 section 8.7).
    case refused
}

/// The fields of the last answers of a connection: most come again and again, and need not be checked each time.
struct KnownFields {
    private struct Known {
        let name: [UInt8]
        let value: [UInt8]
        let field: HTTPClientField
    }

    /// So many are remembered, each of so many bytes.
    private static let maxFields = 32, maxBytes = 256
    private var known: [Known] = []

    /// The field in this place of an answer; nil for one that is not UTF-8.
    mutating func field(
        _ place: Int, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> HTTPClientField? {
        if place < known.count, known[place].name.elementsEqual(name), known[place].value.elementsEqual(value) {
            return known[place].field
        }
        guard let nameText = String(validating: name, as: UTF8.self),
            let valueText = String(validating: value, as: UTF8.self),
            let field = try? HTTPClientField(nameText, valueText)
        else { return nil }
        guard name.count + value.count <= Self.maxBytes else { return field }
        let new = Known(name: Array(name), value: Array(value), field: field)
        if place < known.count {
            known[place] = new
        } else if place == known.count, place < Self.maxFields {
            known.append(new)
        }
        return field
    }
}
