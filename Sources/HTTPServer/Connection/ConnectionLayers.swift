/// What is between a connection's socket and its requests, until it ends, where that is more than HTTP/1.1 in plain bytes:
/// a transport that secures them, a session of a protocol that has several requests at a time, or both. A constant of its
/// connection, so that the plain way is spared the check that Swift makes at each look at a variable.
final class ConnectionLayers: RequestClient {
    /// Nil once what the peer still sends need not be understood.
    private(set) var transport: (any SecureTransport)?
    /// Whether the peer's first bytes have decided which protocol is spoken.
    private(set) var isRecognised = false
    private(set) var session: (any StreamSession)?
    /// The session's requests.
    private(set) var requests: StreamRequests?

    init(_ transport: (any SecureTransport)?) { self.transport = transport }

    /// Who the peer has proved to be.
    var identity: (any PeerIdentity)? { transport?.identity }

    /// Tells the peer that nothing more comes.
    func end() {
        transport?.close()
        drop()
        session = nil
        requests = nil
    }

    /// Leaves the socket as it is, for plain bytes.
    func drop() {
        transport = nil
        recognised()
    }

    /// It is known which protocol is spoken.
    func recognised() { isRecognised = true }

    /// Requests come as a session's streams from now on.
    func speak(_ session: any StreamSession, answering requests: StreamRequests) {
        (self.session, self.requests) = (session, requests)
    }
}
