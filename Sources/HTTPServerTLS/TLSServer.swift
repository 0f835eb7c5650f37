import Concurrency
import COpenSSL
import HTTPServer
import OpenSSLCrypto

/// Secures a server's connections with TLS 1.3 and 1.2. The certificates and the trust for clients can be replaced
/// while it serves; the keys of session tickets stay. The process must ignore SIGPIPE, since OpenSSL writes to sockets
/// with write(2).
package final class TLSServer: Sendable {
    private let served: Guarded<Served>
    private let tickets: TicketKeys
    private let hasHTTP2: Bool

    /// What new connections use.
    package struct Served: Sendable {
        let certificates: [ServerCertificate]
        let trust: ClientTrust?
        /// One for each possible demand.
        let contexts: [ClientDemand: TLSContexts]

        fileprivate init(
            _ certificates: [ServerCertificate], _ trust: ClientTrust?, _ tickets: TicketKeys, hasHTTP2: Bool
        ) throws(CertificateError) {
            (self.certificates, self.trust) = (certificates, trust)
            var contexts: [ClientDemand: TLSContexts] = [:]
            for demand in ClientDemand.allCases where trust != nil || demand == .none {
                let policy = demand == .none ? nil : trust.map { ClientPolicy(trust: $0, demand: demand) }
                contexts[demand] = try TLSContexts(
                    certificates, clients: policy, tickets: tickets, hasHTTP2: hasHTTP2)
            }
            self.contexts = contexts
        }
    }

    /// Serves these certificates: clients are shown those with the name that they request, otherwise the first. `trust`
    /// verifies client certificates. `hasHTTP2`: clients may choose HTTP/2, which the server must then support.
    package convenience init(
        _ certificates: [ServerCertificate], verifyingBy trust: ClientTrust? = nil, hasHTTP2: Bool = false
    ) throws(CertificateError) {
        let tickets: TicketKeys
        do { tickets = try TicketKeys() } catch { throw CertificateError("TLS", error.sentence) }
        try self.init(certificates, verifyingBy: trust, tickets: tickets, hasHTTP2: hasHTTP2)
    }

    init(
        _ certificates: [ServerCertificate], verifyingBy trust: ClientTrust? = nil, tickets: TicketKeys,
        hasHTTP2: Bool = false
    ) throws(CertificateError) {
        (self.tickets, self.hasHTTP2) = (tickets, hasHTTP2)
        served = Guarded(try Served(certificates, trust, tickets, hasHTTP2: hasHTTP2))
    }

    /// What can replace the current certificates and trust, which stay until it is used.
    package func load(
        _ certificates: [ServerCertificate], verifyingBy trust: ClientTrust? = nil
    ) throws(CertificateError) -> Served {
        // Listeners keep demanding certificates, which something has to verify.
        guard trust != nil || self.trust == nil else {
            throw CertificateError(
                "TLS", "the authorities of clients cannot be removed while the server runs; restart to apply")
        }
        let current = self.certificates
        return try Served(certificates.map { $0.sharingKey(of: current) }, trust, tickets, hasHTTP2: hasHTTP2)
    }

    /// Uses these for new connections. Open connections continue, except for clients whose certificates the new trust
    /// does not accept. Tickets stay valid if the trust is the same.
    package func start(_ new: Served) { served.withLock { $0 = new } }

    /// The certificates that new connections are shown.
    package var certificates: [ServerCertificate] { served.withLock(\.certificates) }

    /// What verifies clients now; nil if nothing does.
    package var trust: ClientTrust? { served.withLock(\.trust) }

    /// A listener whose connections this secures. If it demands certificates but nothing can verify them, every
    /// connection fails.
    package func listener(on address: SocketAddress, demanding demand: ClientDemand = .none) -> SecureListener {
        SecureListener(address) { descriptor in
            self.served.withLock { $0.contexts[demand] }.flatMap { TLSConnection($0, of: self, descriptor: descriptor) }
        }
    }
}
