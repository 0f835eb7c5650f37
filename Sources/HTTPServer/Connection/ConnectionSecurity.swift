/// What secures a connection, until it ends; a constant of its connection, so that the plain way is spared the check that
/// Swift makes at each look at a variable.
final class ConnectionSecurity {
    /// Nil once what the peer still sends need not be understood.
    private(set) var transport: (any SecureTransport)?

    init(_ transport: any SecureTransport) { self.transport = transport }

    /// Who the peer has proved to be.
    var identity: (any PeerIdentity)? { transport?.identity }

    /// Tells the peer that nothing more comes.
    func end() {
        transport?.close()
        transport = nil
    }

    /// Leaves the socket as it is, for plain bytes.
    func drop() { transport = nil }
}
