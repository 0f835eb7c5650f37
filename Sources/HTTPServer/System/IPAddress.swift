import Glibc

/// An address of the Internet, without a port. An IPv4 address that is mapped into IPv6 (RFC 4291 section 2.5.5.2) is
/// the IPv4 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The sixteen bytes in network order, as two numbers; an IPv4 address in its mapped form.
    let high: UInt64
    let low: UInt64

    private static let longestText = 45

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An IPv4 address as a number.
    init(ipv4: UInt32) { self.init(high: 0, low: 0xffff_0000_0000 | UInt64(ipv4)) }

    /// The address of a connected peer; nil for a family without addresses, such as unix sockets.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in.self).sin_addr.s_addr }
            self.init(ipv4: UInt32(bigEndian: address))
        case AF_INET6: self.init(withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in6.self).sin6_addr })
        default: return nil
        }
    }

    private init(_ address: in6_addr) {
        var address = address
        high = withUnsafeBytes(of: &address) { UInt64(bigEndian: $0.load(as: UInt64.self)) }
        low = withUnsafeBytes(of: &address) { UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self)) }
    }

    /// An address of 4 or 16 bytes in network order; nil for any other number of bytes.
    package init?(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 4: self.init(ipv4: UInt32(IPAddress.number(bytes, 0..<4)))
        case 16: self.init(high: IPAddress.number(bytes, 0..<8), low: IPAddress.number(bytes, 8..<16))
        default: return nil
        }
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var number: UInt64 = 0
        for index in range { number = number << 8 | UInt64(bytes[index]) }
        return number
    }

    /// Reads four decimal numbers, or one of the notations of IPv6 (RFC 4291 section 2.2); nil for anything else, a
    /// zone or brackets among it.
    package init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ IPAddress(text: Span(_unsafeElements: $0)) }) else { return nil }
        self = address
    }

    /// Reads the same of bytes of text.
    init?(text: Span<UInt8>) {
        guard text.count <= IPAddress.longestText else { return nil }
        let found = withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { copy -> IPAddress? in
            for index in 0..<text.count {
                // The C function would stop reading here.
                guard text[index] != 0 else { return nil }
                copy[index] = CChar(bitPattern: text[index])
            }
            copy[text.count] = 0
            return copy.baseAddress.flatMap { IPAddress(terminated: $0) }
        }
        guard let found else { return nil }
        self = found
    }

    private init?(terminated text: UnsafePointer<CChar>) {
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: UInt32(bigEndian: ipv4.s_addr))
        } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
            self.init(ipv6)
        } else {
            return nil
        }
    }

    /// Whether it is an IPv4 address.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// What one subscriber holds: an IPv4 address, or an IPv6 /64, within which a host picks addresses as it likes
    /// (RFC 8981).
    package var subscriber: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// The usual notation: dotted for IPv4, RFC 5952 for IPv6.
    public var description: String {
        if isIPv4 { return (0..<4).map { "\(low >> (24 - 8 * UInt64($0)) & 0xff)" }.joined(separator: ".") }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return SocketAddress.text(of: address)
    }

    /// Whether it is this machine itself (RFC 6890): 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

    /// What one subscriber holds as text: an IPv4 address, or a range such as 2001:db8:1:2::/64.
    package var subscriberText: String { isIPv4 ? description : "\(subscriber)/64" }

    /// Calls with the bytes of what one subscriber holds: the four of an IPv4 address, or the first eight of an IPv6
    /// one.
    package func withSubscriberBytes<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
        let bytes = isIPv4 ? UInt64(UInt32(truncatingIfNeeded: low).bigEndian) : high.bigEndian
        return withUnsafeBytes(of: bytes) { buffer in
            body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer.prefix(isIPv4 ? 4 : 8))))
        }
    }
}
