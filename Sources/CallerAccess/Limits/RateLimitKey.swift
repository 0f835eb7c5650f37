/// What a limit counts by: 64 bits of an address or a principal, hashed under a key that is random in each process.
///
/// `Hasher` is SipHash-1-3, a pseudorandom function: without its key a client cannot search for two addresses that share
/// a bucket or a set of buckets. Our 128 bits of the system's random numbers come before the bytes, since `Hasher`'s own
/// key is a constant wherever `SWIFT_DETERMINISTIC_HASHING` is set.
package struct RateLimitKey: Hashable, Sendable {
    private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    package let digest: UInt64

    /// A client by its address's bytes: an IPv4 address, or the first half of an IPv6 one, within which a host picks
    /// addresses as it likes (RFC 8981).
    package init(address: Span<UInt8>) {
        digest = Self.digest { hasher in
            address.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// A principal by its source and its name, byte for byte; nil for one without a name, since all callers without a name
    /// would share it: they are limited by address.
    init?(name: String, source principal: Principal.Source) {
        guard !name.isEmpty else { return nil }
        let source: (kind: UInt8, name: String)
        switch principal {
        case .jwt: source = (1, principal.issuer ?? "")
        case .apiKey(let name): source = (2, name)
        case .certificate: source = (4, "")
        case .forwardAuth: source = (3, "")
        case .anonymous: return nil
        }
        digest = Self.digest { hasher in
            hasher.combine(source.kind)
            hasher.combine(bytesOf: source.name)
            hasher.combine(bytesOf: name)
        }
    }

    private static func digest(_ feed: (inout Hasher) -> Void) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(secret.0)
        hasher.combine(secret.1)
        feed(&hasher)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}

extension Hasher {
    /// Feeds a text's bytes after their number, so that no two lists of texts feed the same; a `String` by itself would
    /// feed its canonical form.
    fileprivate mutating func combine(bytesOf text: String) {
        var text = text
        combine(text.utf8.count)
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
