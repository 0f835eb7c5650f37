import COpenSSL
import HTTPServer

/// What a context demands of clients and of their session tickets; it must outlive the context.
struct ClientPolicy: Sendable {
    let trust: ClientTrust
    let demand: ClientDemand

    /// Makes a context request certificates. All contexts of one listener must have the same policy.
    func serve(_ context: OpaquePointer) {
        SSL_CTX_set1_cert_store(context, trust.store)
        SSL_CTX_set_verify_depth(context, ClientTrust.maxDepth)
        for authority in trust.authorities { SSL_CTX_add_client_CA(context, authority.pointer) }
        let isRequired = demand == .required
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)) {
            isGood, store in
            if isGood == 0 { TLSConnection.noteRefusal(in: store) }
            return isGood
        }
        // A session resumes only where the same trust makes the same demand.
        let name = Array((Array(demand.rawValue.utf8) + trust.fingerprint).prefix(Int(SSL_MAX_SID_CTX_LENGTH)))
        SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
        limitTickets(of: context)
    }

    /// A resumed session is not verified again, so its ticket holds the time until which it may resume.
    private func limitTickets(of context: OpaquePointer) {
        SSL_CTX_set_session_ticket_cb(
            context,
            { connection, _ in
                // A resumed session keeps the time of its ticket.
                guard let connection, let end = ClientPolicy.chainEnd(connection) else { return 1 }
                return withUnsafeBytes(of: end) { bytes in
                    SSL_SESSION_set1_ticket_appdata(SSL_get_session(connection), bytes.baseAddress, bytes.count)
                }
            },
            { _, session, _, _, status, trust in
                guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW, let trust else {
                    return SSL_TICKET_RETURN_IGNORE_RENEW
                }
                let revocationsEnd = Unmanaged<ClientTrust>.fromOpaque(trust).takeUnretainedValue().revocationsEnd
                guard min(ClientPolicy.ticketEnd(session), revocationsEnd) > ServerTime.now().epochSeconds else {
                    return SSL_TICKET_RETURN_IGNORE_RENEW
                }
                return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
            }, Unmanaged.passUnretained(trust).toOpaque())
    }

    /// The earliest expiry in the client's chain, in seconds since the epoch; nil if this handshake verified none.
    private static func chainEnd(_ connection: OpaquePointer) -> Int64? {
        guard let chain = SSL_get0_verified_chain(connection), OPENSSL_sk_num(chain) > 0 else { return nil }
        return (0..<OPENSSL_sk_num(chain)).map { index in
            let certificate = OPENSSL_sk_value(chain, index).map { OpaquePointer($0) }
            return X509Certificate.seconds(X509_get0_notAfter(certificate)) ?? 0
        }.min()
    }

    /// The time in a ticket; no end if its client presented no certificate.
    private static func ticketEnd(_ session: OpaquePointer?) -> Int64 {
        guard SSL_SESSION_get0_peer(session) != nil else { return .max }
        var data: UnsafeMutableRawPointer?
        var count = 0
        guard SSL_SESSION_get0_ticket_appdata(session, &data, &count) == 1, let data,
            count == MemoryLayout<Int64>.size
        else { return 0 }
        return data.loadUnaligned(as: Int64.self)
    }

    /// When the certificates of a client expire after its handshake, in seconds since the epoch.
    static func end(of connection: OpaquePointer) -> Int64 {
        chainEnd(connection) ?? ticketEnd(SSL_get_session(connection))
    }
}
