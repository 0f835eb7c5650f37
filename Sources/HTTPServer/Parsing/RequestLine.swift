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

    /// `HTTP/1.1` or `HTTP/1.0` and the line's end; true for the latter. Another well-formed version is 505.
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
        guard major == UInt8(ascii: "1"), minor == UInt8(ascii: "0") || minor == UInt8(ascii: "1") else {
            throw .rejection(.unsupportedVersion)
        }
        return minor == UInt8(ascii: "0")
    }

    /// HTTP-version = HTTP-name "/" DIGIT "." DIGIT, case-sensitive (RFC 9112 section 2.3).
    private func isVersionByte(_ byte: UInt8, at index: Int) -> Bool {
        let name: StaticString = "HTTP/0.0"
        return index == 5 || index == 7 ? ByteSet.digit.contains(byte) : byte == name.utf8Start[index]
    }
}
