import COpenSSL

/// The contexts of all certificates, and the choice of one for each client.
final class TLSContexts: Sendable {
    private let choice: CertificateChoice
    private let contexts: [CertificateChoice.Offer: TLSContext]
    /// For clients that request no known name; every connection starts with it.
    let fallback: TLSContext
    /// OpenSSL does not retain the keys.
    private let tickets: TicketKeys
    /// The policy for client certificates; nil if none are requested.
    let clients: ClientPolicy?

    init(
        _ certificates: [ServerCertificate], clients: ClientPolicy? = nil, tickets: TicketKeys, hasHTTP2: Bool
    ) throws(CertificateError) {
        choice = CertificateChoice(certificates.map { ($0.names, $0.algorithm) })
        var contexts: [CertificateChoice.Offer: TLSContext] = [:]
        for offer in choice.offers {
            contexts[offer] = try TLSContext(
                offer.map { certificates[$0] }, clients: clients, tickets: tickets, hasHTTP2: hasHTTP2)
        }
        guard let fallback = contexts[choice.fallback], !certificates.isEmpty else {
            throw CertificateError("TLS", "no certificate is given; expected at least one")
        }
        (self.contexts, self.fallback, self.tickets) = (contexts, fallback, tickets)
        self.clients = clients
        listenForNames()
    }

    /// OpenSSL does not retain this object: each connection holds a reference to it.
    private func listenForNames() {
        SSL_CTX_set_servername_function(
            fallback.pointer,
            { connection, _, data in
                guard let data, let name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name) else {
                    return SSL_TLSEXT_ERR_NOACK
                }
                let contexts = Unmanaged<TLSContexts>.fromOpaque(data).takeUnretainedValue()
                guard let context = contexts.context(for: String(cString: name)) else { return SSL_TLSEXT_ERR_NOACK }
                if context !== contexts.fallback { SSL_set_SSL_CTX(connection, context.pointer) }
                return SSL_TLSEXT_ERR_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func context(for name: String) -> TLSContext? {
        choice.offer(for: name).flatMap { contexts[$0] }
    }
}
