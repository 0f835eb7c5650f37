/// Which fields a stream may have: those of HTTP/1.1, under stricter rules (RFC 9113 section 8.2).
enum StreamField {
    /// Whether a field that is not a pseudo-field may be in a request or after its body.
    @inline(__always)
    static func isValid(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) -> Bool {
        guard name.count > 0, name.end(of: .streamFieldName, from: 0) == name.count,
            Span<UInt8>(_unsafeBytes: value).endOfFieldValue(from: 0) == value.count
        else { return false }
        // White space around it is a part of it here, and may not be (section 8.2.1).
        if let first = value.first, let last = value.last, first.isBlank || last.isBlank { return false }
        return !isOfConnection(name, value)
    }

    /// Whether it speaks of the connection, which streams share (section 8.2.2).
    @inline(__always)
    private static func isOfConnection(_ name: Span<UInt8>, _ value: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 2 where name.matches("te", at: 0):
            !Span<UInt8>(_unsafeBytes: value).equalsIgnoringCase("trailers", 0..<value.count)
        case 7: name.matches("upgrade", at: 0)
        case 10: name.matches("connection", at: 0) || name.matches("keep-alive", at: 0)
        case 16: name.matches("proxy-connection", at: 0)
        case 17: name.matches("transfer-encoding", at: 0)
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether it holds white space or a control character, which no part of a request line may.
    var holdsBlank: Bool { contains { $0 <= .space || $0 == 0x7F } }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == .space || self == .tab }
}
