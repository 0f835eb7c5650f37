import HTTPServer

/// Who a client is by address: the peer itself, or whom trusted proxies say they speak for.
package struct ClientAddresses: Sendable {
    /// Nil if no proxies are trusted.
    let forwarded: ForwardedAddress?

    /// Nil if all that is known is a unix socket.
    func client(of request: borrowing HTTPRequest) -> IPAddress? {
        forwarded.map { $0.client(of: request) } ?? request.peer
    }

    /// The same address where limits count it. Nil for a peer on this machine that is not trusted to tell clients apart: it
    /// may be a proxy that all of them come by.
    func counted(_ client: IPAddress?, of request: borrowing HTTPRequest) -> IPAddress? {
        guard let client, client.isLoopback, client == request.peer else { return client }
        if let forwarded, forwarded.trusts(peerOf: request) { return client }
        return nil
    }
}
