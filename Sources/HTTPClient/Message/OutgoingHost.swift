import Glibc

/// `host` of RFC 3986 section 3.2.2: a DNS name, an IPv4 address of four decimal numbers, or an IPv6 address in
/// brackets.
struct OutgoingHost {
    /// The host in lower case.
    let text: String
    /// Its bytes, of an address; nil for a name.
    let address: [UInt8]?

    /// The address that is reached: IPv4 of one that is mapped into IPv6 (RFC 4291 section 2.5.5.2).
    var reached: [UInt8]? { address.map { $0.starts(with: Self.ipv4Mapped) ? Array($0.suffix(4)) : $0 } }

    /// Whether its text names this machine, without asking a name server (RFC 6761 section 6.3).
    var isLoopback: Bool { address.map(Self.isLoopback) ?? (text == "localhost") }

    /// Whether no other machine can answer for it. Plain http needs more, since some resolvers ask a name server for a name
    /// below localhost.
    var isThisMachine: Bool { reached.map(Self.isLoopback) ?? (isLoopback || isBelow("localhost")) }

    private static func isLoopback(_ address: [UInt8]) -> Bool {
        address == ipv6Loopback || address.count == 4 && address[0] == 127
    }

    /// Whether it is a name below this domain.
    func isBelow(_ domain: String) -> Bool { address == nil && text.hasSuffix(".\(domain)") }

    /// Nil if the text is none of them.
    init?(_ text: Substring) {
        let text = text.lowercased()
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), let address = Self.ipv6(text.dropFirst().dropLast()) else { return nil }
            self.address = address
        } else {
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            guard text.utf8.count <= 253, labels.allSatisfy(Self.isLabel), let last = labels.last else { return nil }
            // Parsers disagree about the address of a name that ends with a number (such as 127.1 or 0x7f.1).
            let isNumeric = last.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            address = isNumeric ? Self.ipv4(labels) : nil
            guard !isNumeric || address != nil else { return nil }
        }
        self.text = text
    }

    private static let ipv4Mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    private static let ipv6Loopback = [UInt8](repeating: 0, count: 15) + [1]

    private static func ipv6(_ text: Substring) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        return withUnsafeBytes(of: address) { Array($0) }
    }

    private static func ipv4(_ labels: [Substring]) -> [UInt8]? {
        let bytes = labels.compactMap { label in UInt8(label).flatMap { String($0) == label ? $0 : nil } }
        return labels.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Letters, digits, "-" and "_", 1 to 63 of them, and no "-" at either end (RFC 1123 section 2.1).
    private static func isLabel(_ label: Substring) -> Bool {
        let isPlain = label.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
        }
        return isPlain && (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
    }
}
