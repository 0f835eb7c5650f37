import COpenSSL
import HTTPServer

/// The OCSP responses that a context staples to its certificates (RFC 6066 section 8), except expired ones.
final class StapledResponses: Sendable {
    private let certificates: [ServerCertificate]

    init(_ certificates: [ServerCertificate]) {
        self.certificates = certificates
    }

    /// Makes a context show them; this object must outlive the context.
    func serve(_ context: OpaquePointer) {
        guard certificates.contains(where: { $0.response != nil }) else { return }
        SSL_CTX_set_status_function(
            context,
            { connection, data in
                guard let connection, let data else { return SSL_TLSEXT_ERR_NOACK }
                return Unmanaged<StapledResponses>.fromOpaque(data).takeUnretainedValue().show(to: connection)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func show(to connection: OpaquePointer) -> Int32 {
        let leaf = SSL_get_certificate(connection)
        guard let response = certificates.first(where: { $0.chain.leaf.pointer == leaf })?.response,
            response.serves(at: ServerTime.now().epochSeconds),
            // OpenSSL takes ownership of the copy.
            let copy = CRYPTO_memdup(response.bytes, response.bytes.count, #file, #line)
        else { return SSL_TLSEXT_ERR_NOACK }
        SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, response.bytes.count, copy)
        return SSL_TLSEXT_ERR_OK
    }
}
