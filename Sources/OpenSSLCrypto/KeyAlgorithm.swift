import COpenSSL

/// The algorithm a key is for.
enum KeyAlgorithm {
    /// Its name, such as `EC`; nil if it is RSA. RSASSA-PSS keys are another type (RFC 4055): they may not make the
    /// signatures RS256 asks for.
    static func nameUnlessRSA(_ key: OpaquePointer) -> String? {
        guard EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA else { return nil }
        return EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
    }
}
