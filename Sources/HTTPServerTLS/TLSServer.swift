import COpenSSL
import HTTPServer
import Locking
import OpenSSLCrypto

/// What secures a server's connections by TLS 1.3 and 1.2: certificates and whom clients are verified by, both of which can
/// be replaced while it serves, and the keys of session tickets. The process must ignore SIGPIPE, since OpenSSL writes to
/// sockets by write(2).
package final class TLSServer: Sendable {
    private let served: Guarded<Served>
    private let tickets: TicketKeys
    private let hasHTTP2: Bool

    /// What new connections are served by.
    private struct Served {
        let certificates: [ServerCertificate]
        let trust: ClientTrust?
        /// One for each demand that can be made.
        let contexts: [ClientDemand: TLSContexts]

        init(
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

    /// Serves by these certificates, of which clients are shown those that have the name they ask for, and otherwise the
    /// first; clients who show a certificate are verified by `trust`. `hasHTTP2`: clients may choose HTTP/2, which the server
    /// has to speak then.
    package convenience init(
        _ certificates: [ServerCertificate], verifyingBy trust: ClientTrust? = nil, hasHTTP2: Bool = false
    ) throws(CertificateError) {
        let tickets: TicketKeys
        do throws(OpenSSLFailure) {
            tickets = try TicketKeys()
        } catch {
            throw CertificateError("TLS", error.sentence)
        }
        try self.init(certificates, verifyingBy: trust, tickets: tickets, hasHTTP2: hasHTTP2)
    }

    init(
        _ certificates: [ServerCertificate], verifyingBy trust: ClientTrust? = nil, tickets: TicketKeys,
        hasHTTP2: Bool = false
    ) throws(CertificateError) {
        (self.tickets, self.hasHTTP2) = (tickets, hasHTTP2)
        served = Guarded(try Served(certificates, trust, tickets, hasHTTP2: hasHTTP2))
    }

    /// Serves connections that come from now on by these. Those that are open go on; but clients whose certificates do not
    /// hold by the new trust are heard no more. Tickets serve for as long as they would have if the trust is the same.
    package func replace(
        _ certificates: [ServerCertificate], verifyingBy trust: ClientTrust? = nil
    ) throws(CertificateError) {
        // Listeners go on demanding certificates, which somebody has to verify.
        guard trust != nil || self.trust == nil else {
            throw CertificateError(
                "TLS", "has nobody to verify clients' certificates by; expected that until a restart")
        }
        let new = try Served(certificates, trust, tickets, hasHTTP2: hasHTTP2)
        served.withLock { $0 = new }
    }

    /// The certificates that new connections are shown.
    package var certificates: [ServerCertificate] { served.withLock(\.certificates) }

    /// By whom clients are verified now; nil if by nobody.
    package var trust: ClientTrust? { served.withLock(\.trust) }

    /// A listener whose connections this secures. Where certificates are demanded and nobody is there to verify them by,
    /// no connection comes about.
    package func listener(on address: SocketAddress, demanding demand: ClientDemand = .none) -> SecureListener {
        SecureListener(address) { descriptor in
            self.served.withLock { $0.contexts[demand] }.flatMap { TLSConnection($0, of: self, descriptor: descriptor) }
        }
    }
}
