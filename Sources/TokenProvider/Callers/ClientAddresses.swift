import HTTPServer

/// Who a client is by address: the peer itself, or whom trusted proxies say they speak for.
struct ClientAddresses: Sendable {
    /// Nil if no proxies are trusted.
    let forwarded: ForwardedAddress?

    /// Nil if all that is known is a unix socket.
    func client(of request: borrowing HTTPRequest) -> IPAddress? {
        forwarded.map { $0.client(of: request) } ?? request.peer
    }
}
