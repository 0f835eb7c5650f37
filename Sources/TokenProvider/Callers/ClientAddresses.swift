import HTTPServer

/// Who a client is by address: the peer itself, or whom trusted proxies say they speak for.
struct ClientAddresses: Sendable {
    /// Nil if no proxies are trusted.
    let forwarded: ForwardedAddress?

    /// Nil if all that is known is a unix socket.
    func client(of request: borrowing HTTPRequest) -> IPAddress? {
        forwarded.map { $0.client(of: request) } ?? request.peer
    }

    /// The same address where limits count it. Nil for a peer on this machine that speaks for nobody: it is a proxy that all
    /// clients come by; what a field says of this machine is no such peer.
    func counted(_ client: IPAddress?, of request: borrowing HTTPRequest) -> IPAddress? {
        guard let client, client.isLoopback, client == request.peer else { return client }
        return nil
    }
}
