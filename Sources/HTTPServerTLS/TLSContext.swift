import COpenSSL
import HTTPServer
import OpenSSLCrypto

/// The one owner of OpenSSL's context for a kind of connections: the protocol settings, and a certificate of each
/// algorithm.
///
/// `@unchecked Sendable`: the context does not change after `init`, and OpenSSL locks the counters and caches in it
/// (openssl-threads(7)).
final class TLSContext: @unchecked Sendable {
    /// TLS 1.2: only suites with forward secrecy and AEAD (RFC 9325 section 4.2).
    private static let suites = ["ECDSA", "RSA"].flatMap { key in
        ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map { "ECDHE-\(key)-\($0)" }
    }.joined(separator: ":")
    /// TLS 1.3 has only such suites.
    private static let suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// OpenSSL's own, of which the first resists quantum computers; only OpenSSL 3.5 and later know this word.
    private static let defaultGroups = "DEFAULT"
    /// Those of an older OpenSSL, without its slow ones.
    private static let olderGroups = "X25519:P-256:P-384"
    /// Bytes of early data that are skipped: more than any server allows for.
    static let skippedEarlyData: UInt32 = 1 << 18
    /// At least 112 bits of security everywhere (SSL_CTX_set_security_level(3)).
    static let securityLevel: Int32 = 2
    /// Tickets last no longer than their key encrypts.
    private static let ticketSeconds = 12 * 3600

    /// One is enough for a client that requests one token at a time: each resumption brings the next. A second would
    /// cost each handshake a tenth of its time.
    private static let tickets = 1

    let pointer: OpaquePointer
    /// By the certificate that each is about.
    private var responses: [OpaquePointer: OCSPResponse] = [:]
    /// OpenSSL does not retain it.
    private let clients: ClientPolicy?

    /// A context that shows these certificates and may request client certificates.
    init(
        _ certificates: [ServerCertificate], clients: ClientPolicy?, tickets: TicketKeys, hasHTTP2: Bool
    ) throws(CertificateError) {
        OpenSSLErrorQueue.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else {
            throw Self.unusable(certificates, OpenSSLErrorQueue.failure(to: "set up TLS"))
        }
        self.pointer = pointer
        self.clients = clients
        guard setProtocol() else {
            throw Self.unusable(certificates, OpenSSLErrorQueue.failure(to: "apply the TLS settings"))
        }
        for certificate in certificates { try show(certificate) }
        tickets.serve(pointer)
        staple()
        clients?.serve(pointer)
        ApplicationProtocol.choose(in: pointer, hasHTTP2: hasHTTP2)
    }

    private func setProtocol() -> Bool {
        SSL_CTX_set_server_options(pointer)
        SSL_CTX_set_security_level(pointer, Self.securityLevel)
        SSL_CTX_set_timeout(pointer, Self.ticketSeconds)
        // Without a session cache: tickets hold all state. Read ahead, and release buffers that are not in use.
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        let modes =
            SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
            | SSL_MODE_NO_AUTO_CHAIN
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(modes), nil)
        return SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
            && SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_3_VERSION), nil) == 1
            && SSL_CTX_set_cipher_list(pointer, Self.suites) == 1
            && SSL_CTX_set_ciphersuites(pointer, Self.suites13) == 1
            && SSL_CTX_set_num_tickets(pointer, Self.tickets) == 1
            // Never offered; early data sent for another server's ticket is skipped (RFC 8446 section 4.2.10).
            && SSL_CTX_set_max_early_data(pointer, 0) == 1
            && SSL_CTX_set_recv_max_early_data(pointer, Self.skippedEarlyData) == 1
            && (setGroups(Self.defaultGroups) || setGroups(Self.olderGroups))
    }

    private func setGroups(_ list: String) -> Bool {
        defer { OpenSSLErrorQueue.clear() }
        return list.withCString {
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: $0)) == 1
        }
    }

    private func show(_ certificate: ServerCertificate) throws(CertificateError) {
        OpenSSLErrorQueue.clear()
        let (leaf, key) = (certificate.chain.leaf.pointer, certificate.key.pointer)
        responses[leaf] = certificate.response
        let isShown = certificate.chain.authorities.withStack { SSL_CTX_use_cert_and_key(pointer, leaf, key, $0, 1) }
        guard isShown == 1 else {
            throw Self.unusable([certificate], OpenSSLErrorQueue.failure(to: "use the certificate"))
        }
    }

    /// Shows the OCSP responses (RFC 6066 section 8), except expired ones, until the context ends.
    private func staple() {
        SSL_CTX_set_status_function(
            pointer,
            { connection, data in
                data.map { Unmanaged<TLSContext>.fromOpaque($0).takeUnretainedValue().showResponse(to: connection) }
                    ?? SSL_TLSEXT_ERR_NOACK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func showResponse(to connection: OpaquePointer?) -> Int32 {
        guard let leaf = SSL_get_certificate(connection), let response = responses[leaf],
            response.validityPeriod.validity.contains(ServerTime.now().epochSeconds),
            // OpenSSL takes ownership of the copy.
            let copy = CRYPTO_memdup(response.bytes, response.bytes.count, #file, #line)
        else { return SSL_TLSEXT_ERR_NOACK }
        SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, response.bytes.count, copy)
        return SSL_TLSEXT_ERR_OK
    }

    private static func unusable(_ certificates: [ServerCertificate], _ failure: OpenSSLFailure) -> CertificateError {
        CertificateError(certificates.first?.source.certificate ?? "TLS", "cannot be used: \(failure.sentence)")
    }

    deinit {
        SSL_CTX_free(pointer)
    }
}
