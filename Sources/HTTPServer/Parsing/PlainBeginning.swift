/// What a peer begins with who does not begin with a handshake, where one is expected.
enum PlainBeginning: Equatable {
    /// It may become the method of a request.
    case incomplete
    /// A request line's method and the space behind it (RFC 9112 section 3), or a preface (RFC 9113 section 3.4).
    case request
    case unknown

    /// The longest method, with its space, that is waited for; those that are registered have less than twenty letters.
    static let maxLength = 32

    init(_ bytes: Span<UInt8>) {
        let end = bytes.end(of: .token, from: 0)
        guard end == bytes.count else {
            self = end > 0 && bytes[end] == .space ? .request : .unknown
            return
        }
        self = end < Self.maxLength ? .incomplete : .unknown
    }
}
