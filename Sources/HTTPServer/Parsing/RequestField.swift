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
