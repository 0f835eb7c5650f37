/// A request target in one of its four forms (RFC 9112 section 3.2), its percent-encodings checked.
struct RequestTarget {
    enum Form { case origin, absolute, authority, asterisk }

    var form: Form
    var authority: Range<Int>?
    /// Whether the absolute form's scheme is https.
    var isSecure = false
    var path: Range<Int>
    var query: Range<Int>?

    /// Reads to the first byte that no target may hold, which the caller judges.
    init(_ bytes: Span<UInt8>, _ position: inout Int) throws(RequestParser.Stop) {
        guard position < bytes.count else { throw .incomplete }
        switch bytes[position] {
        case UInt8(ascii: "/"):
            self.init(form: .origin, authority: nil, path: position..<position)
            try readPath(bytes, &position)
        case UInt8(ascii: "*"):
            position += 1
            self.init(form: .asterisk, authority: nil, path: position..<position)
        default:
            try self.init(absoluteOrAuthority: bytes, &position)
        }
    }

    private init(form: Form, authority: Range<Int>?, path: Range<Int>) {
        (self.form, self.authority, self.path) = (form, authority, path)
        self.query = nil
    }

    /// `http://host/path`, which a server must accept from a client that takes it for a proxy, or `host:port`, which
    /// only CONNECT sends. `https` is accepted too, also where bytes are plain: a gateway that ends TLS may hand on its
    /// client's target as it came (RFC 9110 section 7.4).
    private init(absoluteOrAuthority bytes: Span<UInt8>, _ position: inout Int) throws(RequestParser.Stop) {
        let start = position
        let schemeEnd = bytes.end(of: .token, from: start)
        guard schemeEnd < bytes.count else { throw .incomplete }
        let isHTTP =
            bytes.equalsIgnoringCase("http", start..<schemeEnd)
            || bytes.equalsIgnoringCase("https", start..<schemeEnd)
        if isHTTP, schemeEnd + 3 > bytes.count { throw .incomplete }
        let isAbsolute = isHTTP && bytes.matches("://", at: schemeEnd)
        let authorityStart = isAbsolute ? schemeEnd + 3 : start
        position = bytes.end(of: .host, from: authorityStart)
        guard position < bytes.count else { throw .incomplete }
        guard HostGrammar.accepts(bytes, authorityStart..<position) else { throw .rejection(.malformedTarget) }
        self.init(
            form: isAbsolute ? .absolute : .authority, authority: authorityStart..<position, path: position..<position)
        isSecure = isAbsolute && schemeEnd - start == 5
        // path-abempty: anything but a slash or a query ends the target, and user information is refused with it.
        let isPath = bytes[position] == UInt8(ascii: "/") || bytes[position] == UInt8(ascii: "?")
        if isAbsolute, isPath { try readPath(bytes, &position) }
    }

    private mutating func readPath(_ bytes: Span<UInt8>, _ position: inout Int) throws(RequestParser.Stop) {
        let start = position
        try RequestTarget.read(.path, bytes, &position)
        path = start..<position
        guard position < bytes.count, bytes[position] == UInt8(ascii: "?") else { return }
        position += 1
        let queryStart = position
        try RequestTarget.read(.query, bytes, &position)
        query = queryStart..<position
    }

    /// Characters of the set and `"%" HEXDIG HEXDIG` (RFC 3986 section 2.1).
    private static func read(
        _ set: ByteSet, _ bytes: Span<UInt8>, _ position: inout Int
    ) throws(RequestParser.Stop) {
        while true {
            position = bytes.end(of: set, from: position)
            guard position < bytes.count, bytes[position] == UInt8(ascii: "%") else { return }
            for offset in 1...2 {
                guard position + offset < bytes.count else { throw .incomplete }
                guard ByteSet.hexadecimal.contains(bytes[position + offset]) else {
                    throw .rejection(.malformedTarget)
                }
            }
            position += 3
        }
    }

    /// The authority form is CONNECT's and CONNECT's alone, the asterisk OPTIONS' (RFC 9112 section 3.2.3, 3.2.4).
    func isAllowed(for method: HTTPMethod) -> Bool {
        switch form {
        case .origin, .absolute: method != .connect
        case .authority: method == .connect
        case .asterisk: method == .options
        }
    }
}

/// `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2).
enum HostGrammar {
    static func accepts(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        let isLiteral = bytes[range.lowerBound] == UInt8(ascii: "[")
        guard let hostEnd = isLiteral ? literalEnd(bytes, range) : nameEnd(bytes, range) else { return false }
        if hostEnd == range.upperBound { return true }
        guard bytes[hostEnd] == UInt8(ascii: ":") else { return false }
        return isPort(bytes, hostEnd + 1..<range.upperBound)
    }

    /// Whether two authorities of a scheme are the same: names and addresses without regard to case, and a port that is
    /// missing or empty is the scheme's (RFC 9110 section 4.2.3). Their grammar was checked.
    static func areSame(_ one: Span<UInt8>, _ other: Span<UInt8>, isSecure: Bool) -> Bool {
        let (one, other) = (parts(one, isSecure: isSecure), parts(other, isSecure: isSecure))
        return one.port == other.port && one.host == other.host
    }

    private static func parts(_ authority: Span<UInt8>, isSecure: Bool) -> (host: [UInt8], port: Int) {
        let bytes = authority.indices.map { authority[$0].lowerCase }
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]")) ?? 0
        let colon = bytes[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let port = bytes[colon...].dropFirst().reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let hasPort = colon < bytes.endIndex - 1
        return (Array(bytes[..<colon]), hasPort ? port : isSecure ? 443 : 80)
    }

    /// *DIGIT (RFC 3986 section 3.2.3), and no more than a port can be; it may be empty.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 5 else { return false }
        var port = 0
        for index in range {
            guard ByteSet.digit.contains(bytes[index]) else { return false }
            port = port &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
        }
        return port <= 65_535
    }

    /// Where a name or IPv4 address ends; nil if it is empty or holds what neither may.
    private static func nameEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let end = min(bytes.end(of: .registeredName, from: range.lowerBound), range.upperBound)
        return end > range.lowerBound ? end : nil
    }

    /// Where an IP literal in brackets ends; nil if the brackets are not closed or hold no IPv6 address.
    private static func literalEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var end = range.lowerBound + 1
        while end < range.upperBound, bytes[end] != UInt8(ascii: "]") {
            let isAddress = ByteSet.hexadecimal.contains(bytes[end]) || bytes[end] == UInt8(ascii: ":")
            guard isAddress || bytes[end] == UInt8(ascii: ".") else { return nil }
            end += 1
        }
        guard end < range.upperBound else { return nil }
        let address = String(decoding: (range.lowerBound + 1..<end).map { bytes[$0] }, as: UTF8.self)
        return SocketAddress.ipv6(address) == nil ? nil : end + 1
    }
}
