import COpenSSL
import OpenSSLCrypto

extension ServerCertificate {
    /// A certificate for localhost, valid for a week, with a new ECDSA key, only in memory; no client trusts it.
    package static func selfSigned() throws(CertificateError) -> ServerCertificate {
        let source = Source(certificate: "the certificate made in memory", key: "its key")
        let (key, certificate): (PrivateKey, X509Certificate)
        do throws(OpenSSLFailure) {
            key = try PrivateKey.newP256()
            certificate = try X509Certificate.ofThisMachine(key)
        } catch {
            throw CertificateError(source.certificate, error.sentence)
        }
        return try ServerCertificate([certificate], key, source: source)
    }
}

extension PrivateKey {
    fileprivate static func newP256() throws(OpenSSLFailure) -> PrivateKey {
        OpenSSLErrorQueue.clear()
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw OpenSSLErrorQueue.failure(to: "generate a key") }
        return PrivateKey(takingOwnershipOf: key)
    }
}

extension X509Certificate {
    private static let names = "DNS:localhost,IP:127.0.0.1,IP:::1"
    private static let hour = 3600

    /// A certificate signed by its own key.
    fileprivate static func ofThisMachine(_ key: PrivateKey) throws(OpenSSLFailure) -> X509Certificate {
        OpenSSLErrorQueue.clear()
        guard let pointer = X509_new() else { throw OpenSSLErrorQueue.failure(to: "allocate memory") }
        let certificate = X509Certificate(takingOwnershipOf: pointer)
        let serial = ASN1_INTEGER_new()
        defer { ASN1_INTEGER_free(serial) }
        guard ASN1_INTEGER_set_uint64(serial, UInt64.random(in: 1...UInt64(Int64.max))) == 1,
            X509_set_version(pointer, Int(X509_VERSION_3)) == 1, X509_set_serialNumber(pointer, serial) == 1,
            X509_gmtime_adj(X509_getm_notBefore(pointer), -hour) != nil,
            X509_gmtime_adj(X509_getm_notAfter(pointer), 7 * 24 * hour) != nil,
            X509_set_pubkey(pointer, key.pointer) == 1, certificate.setNames(),
            X509_sign(pointer, key.pointer, EVP_sha256()) > 0
        else { throw OpenSSLErrorQueue.failure(to: "make a certificate") }
        return certificate
    }

    private func setNames() -> Bool {
        let name = X509_get_subject_name(pointer)
        let extended = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, Self.names)
        defer { X509_EXTENSION_free(extended) }
        return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "localhost", -1, -1, 0) == 1
            && X509_set_issuer_name(pointer, name) == 1 && extended != nil
            && X509_add_ext(pointer, extended, -1) == 1
    }
}
