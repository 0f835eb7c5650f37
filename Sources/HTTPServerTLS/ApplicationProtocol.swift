import COpenSSL

/// The protocols within TLS, by their ALPN names (RFC 7301).
enum ApplicationProtocol {
    static let http2: StaticString = "h2"
    static let http1: StaticString = "http/1.1"
    static let http10: StaticString = "http/1.0"

    /// Makes a context choose its preferred protocol from a client's offers. A client that offers only protocols that
    /// are not served is refused (section 3.2).
    static func choose(in context: OpaquePointer, hasHTTP2: Bool) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenLength, offered, length, hasHTTP2 in
                let list = UnsafeBufferPointer(start: offered, count: Int(length))
                let served = ApplicationProtocol.served(hasHTTP2: hasHTTP2 != nil)
                guard let name = ApplicationProtocol.choice(among: list, of: served) else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                chosen?.pointee = name.baseAddress
                chosenLength?.pointee = UInt8(name.count)
                return SSL_TLSEXT_ERR_OK
            }, hasHTTP2 ? UnsafeMutableRawPointer(context) : nil)
    }

    /// The preferred one first.
    private static func served(hasHTTP2: Bool) -> [StaticString] {
        hasHTTP2 ? [http2, http1, http10] : [http1, http10]
    }

    /// The preferred one of the offered names; each name follows a byte with its length.
    static func choice(
        among offered: UnsafeBufferPointer<UInt8>, of served: [StaticString]
    ) -> UnsafeBufferPointer<UInt8>? {
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

    /// Whether the connection chose this protocol.
    static func isChosen(_ name: StaticString, by connection: OpaquePointer) -> Bool {
        var chosen: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(connection, &chosen, &length)
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return UnsafeBufferPointer(start: chosen, count: Int(length)).elementsEqual(wanted)
    }
}
