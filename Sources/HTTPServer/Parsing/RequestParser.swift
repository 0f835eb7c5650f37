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

    /// What to throw when a line has not ended within its bytes, `window` of `all`: a longer one is not worth waiting for.
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
