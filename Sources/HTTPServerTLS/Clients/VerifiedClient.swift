import COpenSSL
import HTTPServer

/// The client of a connection, identified by its certificate, and until when that is valid.
struct VerifiedClient {
    let identity: any PeerIdentity
    /// The trust that verified it.
    private let trust: ClientTrust
    /// The earliest expiry in its chain, in seconds since the epoch.
    private let chainEnd: Int64

    /// The client of a finished handshake; nil if it presented no certificate.
    init?(_ connection: OpaquePointer, _ policy: ClientPolicy) {
        self.init(connection, policy.trust, until: ClientPolicy.end(of: connection))
    }

    private init?(_ connection: OpaquePointer, _ trust: ClientTrust, until chainEnd: Int64) {
        guard let pointer = SSL_get1_peer_certificate(connection) else { return nil }
        let certificate = X509Certificate(takingOwnershipOf: pointer)
        identity = trust.identify(ClientCertificate(certificate, expiresAt: chainEnd))
        (self.trust, self.chainEnd) = (trust, chainEnd)
    }

    /// Whether the verification is still valid: the same trust, and nothing has expired.
    func holds(by current: ClientTrust?, at now: Int64) -> Bool {
        current === trust && now < min(chainEnd, trust.revocationsEnd)
    }

    /// Verifies the same client again, by the current trust and time; throws why it is refused.
    func renewed(
        _ connection: OpaquePointer, by current: ClientTrust?, at now: Int64
    ) throws(ClientRefusal) -> VerifiedClient? {
        guard let current else { throw ClientRefusal(reason: "client certificates are no longer accepted") }
        guard let certificate = SSL_get0_peer_certificate(connection) else { return nil }
        if let reason = reason(connection, certificate, current, now) { throw ClientRefusal(certificate, reason) }
        return VerifiedClient(connection, current, until: chainEnd)
    }

    /// Why the certificate is no longer valid; nil if it is.
    private func reason(
        _ connection: OpaquePointer, _ certificate: OpaquePointer, _ current: ClientTrust, _ now: Int64
    ) -> String? {
        guard now < chainEnd else { return "certificate has expired" }
        guard current.fingerprint != trust.fingerprint || now >= current.revocationsEnd else { return nil }
        // A ticket does not hold the chain.
        guard SSL_session_reused(connection) != 1 else {
            return "it was verified by a previous trust and then resumed its session; expected a new handshake"
        }
        return current.refusal(
            of: certificate, chain: SSL_get_peer_cert_chain(connection), level: TLSContext.securityLevel)
    }
}

/// Why a client's certificate is not accepted.
struct ClientRefusal: Error {
    /// One sentence without a full stop.
    let reason: String
}

extension ClientRefusal {
    private static let maxSubject = 200

    /// A refusal of a certificate for a reason of OpenSSL's.
    init(_ certificate: OpaquePointer?, _ reason: String) {
        let subject = X509Certificate.subject(of: certificate).prefix(Self.maxSubject)
        self.init(reason: "the client's certificate (\(subject)) is refused: \(reason)")
    }

    /// Why a verification failed: of the client's own certificate, or of one in its chain.
    init(in store: OpaquePointer?) {
        let error = X509_STORE_CTX_get_error(store)
        var reason = String(cString: X509_verify_cert_error_string(Int(error)))
        if X509_STORE_CTX_get_error_depth(store) > 0, let authority = X509_STORE_CTX_get_current_cert(store) {
            reason += ", for its authority \(X509Certificate.subject(of: authority).prefix(Self.maxSubject))"
        }
        self.init(X509_STORE_CTX_get0_cert(store), reason)
    }
}
