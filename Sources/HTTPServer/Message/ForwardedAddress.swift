/// Finds the address of a client behind proxies: from the peer's own, through the address that each trusted proxy
/// added, to the first that is not trusted. Nothing that any other client wrote is read.
package struct ForwardedAddress: Sendable {
    /// The header that the proxies write; the other one is never read, since any client may have written it.
    package enum Field: Sendable {
        /// `Forwarded` (RFC 7239).
        case forwarded
        /// `X-Forwarded-For`: addresses, with or without a port.
        case xForwardedFor
    }

    private let trusted: [AddressRange]
    private let trustsUnixSockets: Bool
    private let field: Field

    /// - Parameters:
    ///   - trusted: Where the proxies are.
    ///   - trustsUnixSockets: Whether a peer on a unix socket is a proxy.
    ///   - field: The header that all of them write.
    package init(trusting trusted: [AddressRange], trustsUnixSockets: Bool, reading field: Field) {
        (self.trusted, self.trustsUnixSockets, self.field) = (trusted, trustsUnixSockets, field)
    }

    /// Whether a request's peer is one of the trusted proxies.
    package func trusts(peerOf request: borrowing HTTPRequest) -> Bool { isTrusted(request.peer) }

    /// The address of a request's client; nil if all that is known is a unix socket. `unreadable` gets an element that ends
    /// the walk.
    package func client(
        of request: borrowing HTTPRequest, unreadable: (Span<UInt8>) -> Void = { _ in }
    ) -> IPAddress? {
        let peer = request.peer
        guard isTrusted(peer) else { return peer }
        switch field {
        case .forwarded: return client(peer: peer, lines: request.values(of: "forwarded"), unreadable: unreadable)
        case .xForwardedFor:
            return client(peer: peer, lines: request.values(of: "x-forwarded-for"), unreadable: unreadable)
        }
    }

    /// The same for a peer and the header's values, one for each line, in their order.
    ///
    /// Each proxy adds to the end, so the walk begins there. It passes empty elements (RFC 9110 section 5.6.1.2), and stops
    /// at anything else that is not an address; the result is then the proxy that wrote it.
    func client(
        peer: IPAddress?, lines: [[UInt8]], unreadable: (Span<UInt8>) -> Void = { _ in }
    ) -> IPAddress? {
        guard isTrusted(peer) else { return peer }
        var client = peer
        for line in lines.reversed() {
            var list = ForwardedList(end: line.count, hasQuotes: field == .forwarded)
            while let element = list.next(in: line.span) {
                guard !element.isEmpty else { continue }
                guard let address = address(line.span.extracting(element)) else {
                    unreadable(line.span.extracting(element))
                    return client
                }
                guard trusted.contain(address) else { return address }
                client = address
            }
        }
        return client
    }

    private func address(_ element: Span<UInt8>) -> IPAddress? {
        switch field {
        case .forwarded: ForwardedElement.address(element)
        case .xForwardedFor: ForwardedNode.address(element.extracting(element.unquoted))
        }
    }

    private func isTrusted(_ peer: IPAddress?) -> Bool {
        peer.map(trusted.contain) ?? trustsUnixSockets
    }
}

extension Span<UInt8> {
    /// The place of the bytes without quotation marks around them, which some proxies write in the older header too.
    fileprivate var unquoted: Range<Int> {
        let mark = UInt8(ascii: "\"")
        return count >= 2 && self[0] == mark && self[count - 1] == mark ? 1..<count - 1 : 0..<count
    }
}
