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
