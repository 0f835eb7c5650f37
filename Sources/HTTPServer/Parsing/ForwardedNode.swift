/// `node = nodename [ ":" node-port ]` (RFC 7239 section 6).
enum ForwardedNode {
    /// The node's address; nil if it is `unknown`, obfuscated or malformed. Many writers leave out the brackets of IPv6
    /// addresses without a port.
    static func address(_ node: Span<UInt8>) -> IPAddress? {
        guard node.count > 0 else { return nil }
        if node[0] == UInt8(ascii: "[") { return bracketed(node) }
        guard let colon = first(UInt8(ascii: ":"), in: node, from: 0) else { return IPAddress(text: node) }
        if first(UInt8(ascii: ":"), in: node, from: colon + 1) != nil {
            return IPAddress(text: node)
        }
        return isPort(node, from: colon) ? IPAddress(text: node.extracting(0..<colon)) : nil
    }

    private static func bracketed(_ node: Span<UInt8>) -> IPAddress? {
        guard let end = first(UInt8(ascii: "]"), in: node, from: 1), isPort(node, from: end + 1) else { return nil }
        let address = node.extracting(1..<end)
        // An IPv4 address has no place in brackets.
        return first(UInt8(ascii: ":"), in: address, from: 0) == nil ? nil : IPAddress(text: address)
    }

    /// Nothing, or a colon and `node-port = 1*5DIGIT / ( "_" 1*( ALPHA / DIGIT / "." / "_" / "-" ) )`.
    private static func isPort(_ node: Span<UInt8>, from start: Int) -> Bool {
        guard start < node.count else { return true }
        guard node[start] == UInt8(ascii: ":"), start + 1 < node.count else { return false }
        if node[start + 1] == UInt8(ascii: "_") {
            return start + 2 < node.count && node.end(of: .obfuscated, from: start + 2) == node.count
        }
        return node.count - start <= 6 && node.end(of: .digit, from: start + 1) == node.count
    }

    private static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count, bytes[index] != byte { index += 1 }
        return index < bytes.count ? index : nil
    }
}
