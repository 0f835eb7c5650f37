/// Bytes in, a request or a reason out (RFC 9112). Pure: it keeps nothing, and what is not allowed is refused.
struct RequestParser: Sendable {
    enum Result: Equatable {
        case incomplete
        case request(RequestHead)
        case rejection(RequestRejection)
    }

    /// What ends the parsing of a part early.
    enum Stop: Error {
        case incomplete
        case rejection(RequestRejection)
    }

    /// Bytes of a line without an end between two looks at it.
    private static let stride = 4096

    let limits: HTTPLimits

    /// Reads one head from the beginning of the bytes; one empty line before it is passed over (RFC 9112 section 2.2).
    ///
    /// No byte beyond a limit is looked at, so that a request that passes one is judged the same however it is cut.
    func parse(_ bytes: Span<UInt8>) -> Result {
        do throws(Stop) {
            return .request(try head(bytes.extracting(first: limits.maxHead)))
        } catch {
            switch error {
            case .incomplete: return bytes.count > limits.maxHead ? .rejection(.fieldsTooLarge) : .incomplete
            case .rejection(let reason): return .rejection(reason)
            }
        }
    }

    /// How many bytes an incomplete head must have before another look at it is worth it, if no line ends before: in
    /// strides, and at the byte with which its last line, or the head as a whole, is too long.
    func nextLook(at bytes: Span<UInt8>) -> Int {
        var lineStart = bytes.count
        while lineStart > 0, bytes[lineStart - 1] != .lineFeed { lineStart -= 1 }
        return min(bytes.count + RequestParser.stride, lineStart + limits.maxLine + 3, limits.maxHead + 1)
    }

    /// Whether this begins a HEAD request, however it goes on: a refusal must have no body then.
    func isHead(_ bytes: Span<UInt8>) -> Bool {
        bytes.matches("HEAD ", at: bytes.matches("\r\n", at: 0) ? 2 : 0)
    }

    private func head(_ bytes: Span<UInt8>) throws(Stop) -> RequestHead {
        var position = 0
        if bytes.count > 0, bytes[0] == .carriageReturn { try lineEnd(bytes, &position, else: .malformedRequestLine) }
        let line = try requestLine(bytes, &position)
        let fieldsStart = position
        var framing = RequestFraming()
        var count = 0
        while try !isEmptyLine(bytes, position) {
            count += 1
            guard count <= limits.maxFields else { throw .rejection(.fieldsTooLarge) }
            try field(bytes, &position, &framing)
        }
        return try framing.finish(bytes, line, fields: fieldsStart..<position, limits: limits)
    }

    /// Whether the head ends here. A bare CR or LF is refused, here as anywhere.
    private func isEmptyLine(_ bytes: Span<UInt8>, _ position: Int) throws(Stop) -> Bool {
        guard position < bytes.count else { throw .incomplete }
        guard bytes[position] == .carriageReturn else { return false }
        var end = position
        try lineEnd(bytes, &end, else: .malformedField)
        return true
    }

    /// What to throw when a line has not ended within its bytes, `window` of `all`: a longer one is not worth waiting
    /// for.
    func unfinished(_ stop: Stop, window: Int, all: Int, tooLong: RequestRejection) -> Stop {
        if case .incomplete = stop, window < all { .rejection(tooLong) } else { stop }
    }

    /// CR LF; anything else is the given rejection.
    func lineEnd(_ bytes: Span<UInt8>, _ position: inout Int, else rejection: RequestRejection) throws(Stop) {
        guard position < bytes.count else { throw .incomplete }
        guard bytes[position] == .carriageReturn else { throw .rejection(rejection) }
        guard position + 1 < bytes.count else { throw .incomplete }
        guard bytes[position + 1] == .lineFeed else { throw .rejection(rejection) }
        position += 2
    }
}

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
}

/// A request line's parts: `method SP request-target SP HTTP-version CRLF` (RFC 9112 section 3).
struct RequestLine {
    var method: HTTPMethod
    var target: RequestTarget
    var isVersion10: Bool
}

extension RequestParser {
    func requestLine(_ bytes: Span<UInt8>, _ position: inout Int) throws(Stop) -> RequestLine {
        let window = bytes.extracting(first: position + limits.maxLine + 2)
        do throws(Stop) {
            return try boundedRequestLine(window, &position)
        } catch {
            throw unfinished(error, window: window.count, all: bytes.count, tooLong: .targetTooLong)
        }
    }

    private func boundedRequestLine(_ bytes: Span<UInt8>, _ position: inout Int) throws(Stop) -> RequestLine {
        let start = position
        let methodEnd = bytes.end(of: .token, from: start)
        guard methodEnd < bytes.count else { throw .incomplete }
        guard methodEnd > start, bytes[methodEnd] == .space else { throw .rejection(.malformedRequestLine) }
        position = methodEnd + 1
        let target = try RequestTarget(bytes, &position)
        guard position < bytes.count else { throw .incomplete }
        guard bytes[position] == .space else { throw .rejection(.malformedTarget) }
        position += 1
        let isVersion10 = try version(bytes, &position)
        // Only a line that is well-formed throughout is worth a 501.
        guard let method = HTTPMethod(bytes, start..<methodEnd) else { throw .rejection(.unknownMethod) }
        guard target.isAllowed(for: method) else { throw .rejection(.malformedTarget) }
        return RequestLine(method: method, target: target, isVersion10: isVersion10)
    }

    /// `HTTP/1.1` or `HTTP/1.0` and the line's end; true for the latter. A later minor version is served as 1.1 (RFC 9110
    /// section 2.5), and another major one is 505.
    private func version(_ bytes: Span<UInt8>, _ position: inout Int) throws(Stop) -> Bool {
        if bytes.matches("HTTP/1.1\r\n", at: position) {
            position += 10
            return false
        }
        for index in 0..<8 {
            guard position + index < bytes.count else { throw .incomplete }
            guard isVersionByte(bytes[position + index], at: index) else { throw .rejection(.malformedRequestLine) }
        }
        let major = bytes[position + 5]
        let minor = bytes[position + 7]
        position += 8
        try lineEnd(bytes, &position, else: .malformedRequestLine)
        guard major == UInt8(ascii: "1") else { throw .rejection(.unsupportedVersion) }
        return minor == UInt8(ascii: "0")
    }

    /// HTTP-version = HTTP-name "/" DIGIT "." DIGIT, case-sensitive (RFC 9112 section 2.3).
    private func isVersionByte(_ byte: UInt8, at index: Int) -> Bool {
        let name: StaticString = "HTTP/0.0"
        return index == 5 || index == 7 ? ByteSet.digit.contains(byte) : byte == name.utf8Start[index]
    }
}

/// One field line: `field-name ":" OWS field-value OWS CRLF` (RFC 9112 section 5).
struct RequestField {
    var name: Range<Int>
    /// The value without the white space around it.
    var value: Range<Int>
}

extension RequestParser {
    /// Reads one field line and lets the framing look at it. White space before the colon, a folded line and bare CR
    /// or LF are all refused: each has been used to smuggle (RFC 9112 sections 5.1, 5.2 and 2.2).
    func field(_ bytes: Span<UInt8>, _ position: inout Int, _ framing: inout RequestFraming) throws(Stop) {
        let window = bytes.extracting(first: position + limits.maxLine + 2)
        do throws(Stop) {
            try framing.consider(bytes, try boundedField(window, &position))
        } catch {
            throw unfinished(error, window: window.count, all: bytes.count, tooLong: .fieldsTooLarge)
        }
    }

    private func boundedField(_ bytes: Span<UInt8>, _ position: inout Int) throws(Stop) -> RequestField {
        let start = position
        let nameEnd = bytes.end(of: .token, from: start)
        guard nameEnd < bytes.count else { throw .incomplete }
        guard nameEnd > start, bytes[nameEnd] == UInt8(ascii: ":") else { throw .rejection(.malformedField) }
        position = bytes.endOfFieldValue(from: nameEnd + 1)
        let value = bytes.trimmed(nameEnd + 1..<position)
        try lineEnd(bytes, &position, else: .malformedField)
        return RequestField(name: start..<nameEnd, value: value)
    }
}

extension Span<UInt8> {
    /// A range without the spaces and tabs at its ends (OWS, RFC 9110 section 5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower] == .space || self[lower] == .tab { lower += 1 }
        while upper > lower, self[upper - 1] == .space || self[upper - 1] == .tab { upper -= 1 }
        return lower..<upper
    }
}

/// What a request may measure, in bytes and counts.
package struct HTTPLimits: Equatable, Sendable {
    /// The longest line of a head.
    package var maxLine: Int
    /// The longest head, from the request line to the empty line.
    package var maxHead: Int
    /// The most fields in a head.
    package var maxFields: Int
    /// The longest body that is read and dropped; after a longer one the connection is closed.
    package var maxDiscardedBody: Int

    /// Limits in bytes and counts; the defaults are those of the configuration.
    package init(maxLine: Int = 16_384, maxHead: Int = 32_768, maxFields: Int = 100, maxDiscardedBody: Int = 16_384) {
        (self.maxLine, self.maxHead) = (maxLine, maxHead)
        (self.maxFields, self.maxDiscardedBody) = (maxFields, maxDiscardedBody)
    }
}
