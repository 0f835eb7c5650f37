import COpenSSL
import OpenSSLCrypto

/// A certificate and its authorities, each of which issued the one before it (RFC 5246 section 7.4.2; TLS 1.3 clients
/// should accept any order, but not all do).
struct CertificateChain: Sendable {
    let leaf: X509Certificate
    /// Up to one that clients trust, which may be included.
    let authorities: [X509Certificate]
    /// The validity period of each certificate, in the chain's order.
    let validityPeriods: [ValidityPeriod]
    /// The period that ends first.
    let validityPeriod: ValidityPeriod

    /// Throws if one did not issue the one before it, or if clients would not accept the chain. Dates are not checked.
    /// `source`: the file that messages about the validity periods name.
    init(_ leaf: X509Certificate, _ authorities: [X509Certificate], source: String) throws(CertificateProblem) {
        (self.leaf, self.authorities) = (leaf, authorities)
        for (place, (certificate, issuer)) in zip([leaf] + authorities, authorities).enumerated()
        where !issuer.issued(certificate) {
            throw CertificateProblem(
                "has \(issuer.subject) in place \(place + 2), which did not issue and sign the certificate before it; "
                    + "expected the server's own first, and each followed by its issuer's")
        }
        try Self.verify(leaf, authorities)
        let ownPeriod = try leaf.validityPeriod(source, "the certificate")
        var periods = [ownPeriod]
        for (place, authority) in authorities.enumerated() {
            periods.append(
                try authority.validityPeriod(source, "its authority \(authority.subject) in place \(place + 2)"))
        }
        validityPeriods = periods
        validityPeriod = periods.min { $0.validity.upperBound < $1.validity.upperBound } ?? ownPeriod
    }

    /// A message if not all clients may accept the chain; otherwise nil.
    var warning: String? {
        guard authorities.isEmpty, !leaf.isSelfSigned else { return nil }
        return
            "the certificate of its issuer \(leaf.issuer) is missing, so clients that do not have it will refuse the "
            + "connection; expected the whole chain"
    }

    private static func verify(
        _ leaf: X509Certificate, _ authorities: [X509Certificate]
    ) throws(CertificateProblem) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        guard let anchor = TrustAnchor(authorities.last ?? leaf) else {
            throw CertificateProblem("cannot be verified: out of memory")
        }
        let verification = authorities.withStack { authorities in
            CertificateVerification(of: leaf.pointer, chain: authorities, trusting: anchor.store, purpose: "ssl_server")
        }
        switch verification {
        case .accepted: return
        case nil, .impossible: throw CertificateProblem("cannot be verified: out of memory")
        case .refused(let place, let reason):
            throw CertificateProblem(
                "has a certificate in place \(place) that clients will not accept there (\(reason)); expected one of a "
                    + "server, and each followed by its issuer's")
        }
    }
}

extension X509Certificate {
    fileprivate func validityPeriod(_ source: String, _ what: String) throws(CertificateProblem) -> ValidityPeriod {
        guard let validity else {
            throw CertificateProblem("has malformed dates; expected notBefore and then notAfter")
        }
        return ValidityPeriod(
            source, validity, warning: .certificate, of: "\(source): \(what)",
            otherwise: "so clients will not accept it")
    }
}

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
