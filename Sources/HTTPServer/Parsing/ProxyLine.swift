/// The header of the PROXY protocol's version 1: `PROXY`, the protocol, both addresses and both ports, as one line.
enum ProxyLine {
    static let start = Array("PROXY ".utf8)
    /// The shortest line, `PROXY UNKNOWN`, with its end; a header of version 2 is longer.
    static let shortest = 15
    /// The longest line, with its end.
    private static let longest = 107
    /// The shortest lines with addresses of IPv4 and IPv6, and the place of the digit that tells which.
    private static let shortestOfIPv4 = 32
    private static let shortestOfIPv6 = 22
    private static let digit = 9

    /// Reads a line from the beginning of the bytes.
    static func parse(_ bytes: Span<UInt8>) -> ProxyHeader.Result {
        for index in 0..<min(start.count, bytes.count) where bytes[index] != start[index] { return .malformed }
        let window = bytes.extracting(first: longest)
        guard let end = window.indices.first(where: { window[$0] == .carriageReturn }) else {
            return window.count < longest ? .incomplete : .malformed
        }
        guard end + 1 < window.count else { return end + 1 < longest ? .incomplete : .malformed }
        guard window[end + 1] == .lineFeed, end >= start.count else { return .malformed }
        let text = String(decoding: (start.count..<end).map { window[$0] }, as: UTF8.self)
        return header(text.split(separator: " ", omittingEmptySubsequences: false), length: end + 2)
    }

    /// How many bytes may be read after these without reading past the line's end.
    static func missingBytes(behind bytes: Span<UInt8>) -> Int {
        var least = shortest
        if bytes.count > digit, bytes[digit] == UInt8(ascii: "4") { least = shortestOfIPv4 }
        if bytes.count > digit, bytes[digit] == UInt8(ascii: "6") { least = shortestOfIPv6 }
        guard bytes.count >= least else { return least - bytes.count }
        return bytes[bytes.count - 1] == .carriageReturn ? 1 : 2
    }

    private static func header(_ words: [Substring], length: Int) -> ProxyHeader.Result {
        // Whatever follows is ignored: the proxy speaks for a client without an address on the Internet.
        if words.first == "UNKNOWN" { return .header(ProxyHeader(length: length)) }
        guard words.count == 5, words[0] == "TCP4" || words[0] == "TCP6" else { return .malformed }
        // An address of IPv6 may end as one of IPv4.
        let addresses = words[1...2].compactMap {
            ($0.contains(":") ? "TCP6" : "TCP4") == words[0] ? IPAddress(String($0)) : nil
        }
        guard addresses.count == 2, words[3...4].allSatisfy(isPort) else { return .malformed }
        return .header(ProxyHeader(source: addresses[0], length: length))
    }

    /// Decimal, without leading zeros.
    private static func isPort(_ text: Substring) -> Bool { UInt16(text).map { "\($0)" == text } ?? false }
}
