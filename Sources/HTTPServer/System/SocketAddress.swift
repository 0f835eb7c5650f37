import Glibc

/// Where a server listens, written `ADDR:PORT`, `[v6]:PORT` (port 0 lets the system choose) or `unix:PATH`.
package enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address's four bytes as one number in host order, and the port.
    case ipv4(UInt32, port: UInt16)
    /// The address in its usual notation, and the port.
    case ipv6(String, port: UInt16)
    /// The path of a unix socket, at most 107 bytes; one that begins with `@` is a name outside the file system
    /// (unix(7)).
    case unix(String)

    /// The longest path of a unix socket in bytes: `sun_path` has 108, and the last one ends it (unix(7)).
    package static let maximumPathBytes = 107

    /// The path of its file; nil if it has none, such as an abstract socket.
    package var socketFile: String? {
        guard case .unix(let path) = self, !path.hasPrefix("@") else { return nil }
        return path
    }

    /// Reads an address. Names are not looked up, but for `localhost`, because what they mean may change between two
    /// starts.
    package init(_ text: String) throws(SocketAddressError) {
        if text.hasPrefix("unix:") {
            self = try SocketAddress.unixSocket(String(text.dropFirst("unix:".count)))
            return
        }
        // The C functions below would stop reading at a NUL.
        guard !text.utf8.contains(0) else { throw .notIPv4 }
        guard let colon = text.lastIndex(of: ":") else { throw .noPort }
        let host = text[..<colon]
        let port = text[text.index(after: colon)...]
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard let address = SocketAddress.ipv6(String(host.dropFirst().dropLast())) else { throw .notIPv6 }
            self = .ipv6(SocketAddress.text(of: address), port: try SocketAddress.port(port))
            return
        }
        guard !host.contains(":") else { throw .bareIPv6 }
        var address = in_addr()
        guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : String(host), &address) == 1 else {
            throw .notIPv4
        }
        self = .ipv4(UInt32(bigEndian: address.s_addr), port: try SocketAddress.port(port))
    }

    private static func port(_ text: Substring) throws(SocketAddressError) -> UInt16 {
        guard text.isPlainDecimal, let port = UInt16(text) else { throw .badPort }
        return port
    }

    private static func unixSocket(_ path: String) throws(SocketAddressError) -> SocketAddress {
        guard !path.isEmpty else { throw .noPath }
        guard path.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else { throw .controlInPath }
        guard path.utf8.count <= maximumPathBytes else { throw .longPath(bytes: path.utf8.count) }
        return .unix(path)
    }

    static func ipv6(_ text: String) -> in6_addr? {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1 ? address : nil
    }

    /// The notation of RFC 5952.
    static func text(of address: in6_addr) -> String {
        var address = address
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return "::" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The IPv4 address that an IPv6 one maps (RFC 4291 section 2.5.5.2), at which no socket for IPv6 alone can
    /// listen; nil for any other.
    package var mapped: SocketAddress? {
        guard case .ipv6(let text, let port) = self, let address = IPAddress(text), address.isIPv4 else { return nil }
        return .ipv4(UInt32(truncatingIfNeeded: address.low), port: port)
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address, _): address >> 24 == 127
        case .ipv6(let address, _): address == "::1" || address.hasPrefix("::ffff:127.")
        case .unix: true
        }
    }

    /// Whether it means each of this machine's addresses.
    package var isUnspecified: Bool {
        switch self {
        case .ipv4(let address, _): address == 0
        case .ipv6(let address, _): address == "::" || address == "::ffff:0.0.0.0"
        case .unix: false
        }
    }

    /// The notation that `init(_:)` reads.
    package var description: String {
        switch self {
        case .ipv4(let address, let port):
            (0..<4).map { "\(address >> (24 - 8 * UInt32($0)) & 0xff)" }.joined(separator: ".") + ":\(port)"
        case .ipv6(let address, let port): "[\(address)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// Why a text is not an address to listen on.
package enum SocketAddressError: Error, Hashable, Sendable {
    case noPort, badPort, notIPv4, notIPv6, bareIPv6, noPath, controlInPath
    case longPath(bytes: Int)

    /// What is wrong with the text, to follow it in a sentence.
    package var problem: String {
        switch self {
        case .noPort: "has no port"
        case .badPort: "does not end with a port from 0 to 65535"
        case .notIPv4: "does not begin with an IPv4 address (host names are not looked up)"
        case .notIPv6: "does not hold an IPv6 address in its brackets"
        case .bareIPv6: "is ambiguous; expected the IPv6 address in brackets"
        case .noPath: "has no path"
        case .controlInPath: "has a control character in its path"
        case .longPath(let bytes):
            "has a path of \(bytes) bytes, more than the \(SocketAddress.maximumPathBytes) of a unix socket"
        }
    }
}

extension Substring {
    /// Whether it is decimal digits without a sign or a leading zero.
    var isPlainDecimal: Bool {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && (self == "0" || !hasPrefix("0"))
    }
}
