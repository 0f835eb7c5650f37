import COpenSSL

/// The result of verifying a certificate, with the chain sent with it, against trusted certificates (RFC 5280 section
/// 6).
enum CertificateVerification {
    case accepted
    /// The certificate in this place of the chain (the leaf is 1) is not accepted, with OpenSSL's reason.
    case refused(place: Int, reason: String)
    /// The verification could not start.
    case impossible

    /// Nil if out of memory. `purpose`: OpenSSL's name for the certificate's use; `level`: the security level,
    /// OpenSSL's default if nil.
    init?(
        of certificate: OpaquePointer, chain: OpaquePointer?, trusting store: OpaquePointer, purpose: String,
        level: Int32? = nil
    ) {
        guard let context = X509_STORE_CTX_new() else { return nil }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, certificate, chain) == 1,
            X509_STORE_CTX_set_default(context, purpose) == 1
        else {
            self = .impossible
            return
        }
        if let level { X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(context), level) }
        guard X509_verify_cert(context) != 1 else {
            self = .accepted
            return
        }
        self = .refused(
            place: Int(X509_STORE_CTX_get_error_depth(context)) + 1,
            reason: String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))))
    }
}
