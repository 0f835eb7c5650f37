/// What is between a connection's socket and its requests, until it ends, where that is more than HTTP/1.1 in plain
/// bytes: a transport that secures them, a session of a protocol that has several requests at a time, or both. A
/// constant of its connection, so that plain HTTP/1.1 is spared the check that Swift makes at each look at a variable.
final class ConnectionLayers: RequestClient {
    /// What is spoken above the transport.
    enum Spoken {
        /// The peer's first bytes have still to decide.
        case unknown
        /// HTTP/1.1: requests come one after the other.
        case requests
        /// Requests come as a session's streams.
        case streams(any StreamSession, StreamRequests)
    }

    /// Nil once what the peer still sends need not be understood.
    private(set) var transport: (any SecureTransport)?
    private(set) var spoken = Spoken.unknown

    init(_ transport: (any SecureTransport)?) { self.transport = transport }

    /// Who the peer is authenticated as.
    var identity: (any PeerIdentity)? { transport?.identity }

    var isSecure: Bool { transport != nil }

    /// Whether the transport has read more than it has given.
    var holdsBytes: Bool { transport.map(\.holdsBytes) ?? false }

    /// Bytes that its parts hold, about.
    var memory: Int {
        let secured = transport?.memory ?? 0
        guard case .streams(let session, let requests) = spoken else { return secured }
        return secured + session.memory + requests.memory
    }

    /// The session whose streams requests are; nil where they come one after the other.
    var session: (any StreamSession)? {
        if case .streams(let session, _) = spoken { session } else { nil }
    }

    /// Frees what is not needed between two requests.
    func trim() {
        if case .streams(let session, let requests) = spoken {
            session.trim()
            requests.trim()
        }
    }

    /// It is known which protocol is spoken.
    func speak(_ protocol: Spoken) { spoken = `protocol` }

    /// Tells the peer that the connection ends.
    func end() {
        transport?.close()
        drop()
    }

    /// Leaves the socket as it is, for plain bytes.
    func drop() {
        transport = nil
        spoken = .requests
    }
}
