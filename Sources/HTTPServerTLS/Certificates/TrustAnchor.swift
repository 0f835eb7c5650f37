import COpenSSL

/// The one owner of a store that trusts one certificate, whatever its issuer. It does not check dates: expired
/// certificates are reported elsewhere, as warnings.
final class TrustAnchor {
    let store: OpaquePointer

    /// Nil if out of memory.
    init?(_ certificate: X509Certificate) {
        guard let store = X509_STORE_new() else { return nil }
        self.store = store
        guard X509_STORE_add_cert(store, certificate.pointer) == 1,
            X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME)) == 1
        else { return nil }
    }

    deinit {
        X509_STORE_free(store)
    }
}

extension [X509Certificate] {
    /// Passes them to OpenSSL as a stack, which does not retain them.
    func withStack<Result>(_ use: (OpaquePointer?) -> Result) -> Result {
        let stack = OPENSSL_sk_new_null()
        defer { OPENSSL_sk_free(stack) }
        for certificate in self { OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.pointer)) }
        return withExtendedLifetime(self) { use(stack) }
    }
}
