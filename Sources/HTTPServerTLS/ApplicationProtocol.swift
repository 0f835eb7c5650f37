internal import COpenSSL

/// The protocols that are spoken within TLS, by their names in ALPN (RFC 7301).
enum ApplicationProtocol {
    /// The best first.
    private static let served: [StaticString] = ["http/1.1"]

    /// Lets a context choose what it likes best of what a client offers. A client that offers something, but nothing that
    /// is served, is refused (section 3.2).
    static func choose(in context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenLength, offered, length, _ in
                let list = UnsafeBufferPointer(start: offered, count: Int(length))
                guard let name = ApplicationProtocol.choice(among: list) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                chosen?.pointee = name.baseAddress
                chosenLength?.pointee = UInt8(name.count)
                return SSL_TLSEXT_ERR_OK
            }, nil)
    }

    /// The best of the names, each of which has its length before it.
    static func choice(among offered: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        for name in served {
            let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            var place = 0
            while place < offered.count {
                let end = place + 1 + Int(offered[place])
                guard end <= offered.count else { return nil }
                let candidate = UnsafeBufferPointer(rebasing: offered[place + 1..<end])
                if candidate.elementsEqual(wanted) { return candidate }
                place = end
            }
        }
        return nil
    }
}
