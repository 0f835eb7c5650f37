internal import COpenSSL
public import HTTPServer
import Locking
internal import OpenSSLObjects

/// What secures a server's connections by TLS 1.3 and 1.2: certificates, which can be replaced while it serves, and the
/// keys of session tickets. The process must ignore SIGPIPE, since OpenSSL writes to sockets by write(2).
public final class TLSServer: Sendable {
    private let contexts: Guarded<TLSContexts>
    private let tickets: TicketKeys
    private let hasHTTP2: Bool

    /// Serves by these certificates, of which clients are shown those that have the name they ask for, and otherwise the
    /// first; `hasHTTP2`: clients may choose HTTP/2, which the server has to speak then.
    public convenience init(_ certificates: [ServerCertificate], hasHTTP2: Bool = false) throws(CertificateError) {
        let tickets: TicketKeys
        do throws(OpenSSLFailure) {
            tickets = try TicketKeys()
        } catch {
            throw CertificateError("TLS", error.sentence)
        }
        try self.init(certificates, tickets: tickets, hasHTTP2: hasHTTP2)
    }

    init(_ certificates: [ServerCertificate], tickets: TicketKeys, hasHTTP2: Bool = false) throws(CertificateError) {
        (self.tickets, self.hasHTTP2) = (tickets, hasHTTP2)
        contexts = Guarded(try TLSContexts(certificates, tickets: tickets, hasHTTP2: hasHTTP2))
    }

    /// Serves connections that come from now on by these certificates; those that are open go on, and their tickets serve
    /// for as long as they would have.
    public func replaceCertificates(by certificates: [ServerCertificate]) throws(CertificateError) {
        let new = try TLSContexts(certificates, tickets: tickets, hasHTTP2: hasHTTP2)
        contexts.withLock { $0 = new }
    }

    /// A listener whose connections this secures.
    public func listener(on address: SocketAddress) -> SecureListener {
        SecureListener(address) { descriptor in
            TLSConnection(self.contexts.withLock { $0 }, descriptor: descriptor)
        }
    }
}
