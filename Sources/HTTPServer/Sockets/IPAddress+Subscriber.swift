extension IPAddress {
    /// Whether it is this machine itself (RFC 6890): 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

    /// What one subscriber holds as text: an IPv4 address, or a range such as 2001:db8:1:2::/64.
    package var subscriberText: String { isIPv4 ? description : "\(subscriber)/64" }

    /// Calls with the bytes of what one subscriber holds: the four of an IPv4 address, or the first eight of an IPv6 one.
    package func withSubscriberBytes<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
        let bytes = isIPv4 ? UInt64(UInt32(truncatingIfNeeded: low).bigEndian) : high.bigEndian
        return withUnsafeBytes(of: bytes) { buffer in
            body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer.prefix(isIPv4 ? 4 : 8))))
        }
    }
}
