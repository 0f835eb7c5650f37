/// How the connections of a listener begin.
enum ConnectionOpening: Sendable {
    /// With a request of HTTP/1.1.
    case plain
    /// The same, or with the preface of the protocol that has several requests at a time (RFC 9113 section 3.3).
    case plainOrPreface
    /// With a handshake.
    case secure(SecureListener.Factory)
}

/// Where a server listens for plain connections.
package struct PlainListener: Sendable {
    let address: SocketAddress
    let opening: ConnectionOpening

    /// Listens on an address; `recognisesPreface`: a client that begins with the preface of `ServerSettings.streams` is
    /// answered by it.
    package init(_ address: SocketAddress, recognisesPreface: Bool = false) {
        (self.address, opening) = (address, recognisesPreface ? .plainOrPreface : .plain)
    }
}

/// Where a server listens for connections that are secured.
package struct SecureListener: Sendable {
    /// Makes the transport of a connection on this descriptor, which it does not close; nil if memory has run out.
    package typealias Factory = @Sendable (_ descriptor: Int32) -> (any SecureTransport)?

    let address: SocketAddress
    let secure: Factory

    /// Listens on an address, each connection secured by what the factory makes.
    package init(_ address: SocketAddress, secure: @escaping Factory) {
        (self.address, self.secure) = (address, secure)
    }
}
