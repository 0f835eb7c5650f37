import COpenSSL
import HTTPClient
import OpenSSLCrypto

/// The one owner of OpenSSL's context for connections to a server: what it trusts, and how it speaks TLS.
final class ClientTLSContext {
    /// At least 112 bits of security everywhere (SSL_CTX_set_security_level(3)).
    private static let securityLevel: Int32 = 2
    /// Room for several records, so that one call brings all that has come.
    private static let readAheadBytes = 32_768
    /// The names of HTTP/2 and HTTP/1.1 (RFC 7301), each after its length.
    private static let protocols: [UInt8] = [2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8)

    let pointer: OpaquePointer

    /// Throws if the authorities cannot be read.
    init(trusting authorities: TrustedAuthorities) throws(OpenSSLFailure) {
        OpenSSLErrorQueue.clear()
        guard let pointer = SSL_CTX_new(TLS_client_method()) else {
            throw OpenSSLErrorQueue.failure(to: "set up TLS")
        }
        self.pointer = pointer
        defer { OpenSSLErrorQueue.clear() }
        guard setProtocol() else { throw OpenSSLErrorQueue.failure(to: "apply the TLS settings") }
        guard trust(authorities) else { throw OpenSSLErrorQueue.failure(to: "read the authorities") }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    }

    private func setProtocol() -> Bool {
        SSL_CTX_set_client_options(pointer)
        SSL_CTX_set_security_level(pointer, Self.securityLevel)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        SSL_CTX_set_default_read_buffer_len(pointer, Self.readAheadBytes)
        let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(modes), nil)
        return SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
            // Unlike others, this function returns 0 if it succeeds.
            && SSL_CTX_set_alpn_protos(pointer, Self.protocols, UInt32(Self.protocols.count)) == 0
    }

    private func trust(_ authorities: TrustedAuthorities) -> Bool {
        // As libcurl does: a trusted authority need not be the root of its chain.
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if authorities.file == nil, authorities.folder == nil { return SSL_CTX_set_default_verify_paths(pointer) == 1 }
        if let file = authorities.file, SSL_CTX_load_verify_file(pointer, file) != 1 { return false }
        if let folder = authorities.folder, SSL_CTX_load_verify_dir(pointer, folder) != 1 { return false }
        return true
    }

    deinit { SSL_CTX_free(pointer) }
}
