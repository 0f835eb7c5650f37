/// `forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )` (RFC 7239 section 4). Blanks after a semicolon and
/// addresses without quotation marks are not in the grammar, but common.
enum ForwardedElement {
    /// The address that the element's `for` names; nil if there is none, or two, or anything is malformed.
    static func address(_ bytes: Span<UInt8>) -> IPAddress? {
        var position = 0
        var node: [UInt8]?
        while true {
            if position < bytes.count, bytes[position] != UInt8(ascii: ";") {
                // forwarded-pair = token "=" value
                let nameEnd = bytes.end(of: .token, from: position)
                guard nameEnd > position, nameEnd < bytes.count, bytes[nameEnd] == UInt8(ascii: "=") else { return nil }
                let isFor = bytes.equalsIgnoringCase("for", position..<nameEnd)
                position = nameEnd + 1
                guard let value = value(bytes, &position) else { return nil }
                guard !isFor || node == nil else { return nil }
                if isFor { node = value }
            }
            guard position < bytes.count else { break }
            guard bytes[position] == UInt8(ascii: ";") else { return nil }
            position += 1
            while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        }
        return node.flatMap { ForwardedNode.address($0.span) }
    }

    /// `value = token / quoted-string`.
    private static func value(_ bytes: Span<UInt8>, _ position: inout Int) -> [UInt8]? {
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "\"") { return quotedString(bytes, &position) }
        let start = position
        position = bytes.end(of: .forwardedValue, from: start)
        return position > start ? bytes.extracting(start..<position).withUnsafeBytes { Array($0) } : nil
    }

    /// What a quoted string says (RFC 9110 section 5.6.4). Controls never come this far: no field value holds them.
    private static func quotedString(_ bytes: Span<UInt8>, _ position: inout Int) -> [UInt8]? {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") { position += 1 }
            guard position < bytes.count else { return nil }
            text.append(bytes[position])
            position += 1
        }
        guard position < bytes.count else { return nil }
        position += 1
        return text
    }
}
