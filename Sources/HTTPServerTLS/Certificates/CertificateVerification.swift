import COpenSSL

/// What comes of holding a certificate and those shown with it against the ones that are trusted (RFC 5280 section 6).
enum CertificateVerification {
    case accepted
    /// The certificate in this place, the leaf's being 1, is not accepted, for OpenSSL's reason.
    case refused(place: Int, reason: String)
    /// It cannot be looked at.
    case impossible

    /// Nil if there is no memory. `purpose`: whose certificate it is to be, by OpenSSL's name; `level`: its security level,
    /// as OpenSSL sets it if nil.
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
