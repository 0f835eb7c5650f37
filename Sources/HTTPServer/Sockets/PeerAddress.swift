import Glibc

/// The address at the other end of a TCP connection, without its port; an IPv4 address in its IPv6-mapped form.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// The address of a connected peer; nil for a family without addresses, such as unix sockets.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in.self).sin_addr.s_addr }
            high = 0
            low = 0xffff_0000_0000 | UInt64(UInt32(bigEndian: address))
        case AF_INET6:
            var address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in6.self).sin6_addr }
            high = withUnsafeBytes(of: &address) { UInt64(bigEndian: $0.load(as: UInt64.self)) }
            low = withUnsafeBytes(of: &address) { UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self)) }
        default: return nil
        }
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// What one subscriber holds: an IPv4 address, or an IPv6 /64, within which a host picks addresses as it likes
    /// (RFC 8981).
    var subscriber: PeerAddress { isIPv4 ? self : PeerAddress(high: high, low: 0) }

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
}
