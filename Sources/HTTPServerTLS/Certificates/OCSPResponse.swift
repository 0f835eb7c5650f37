import COpenSSL
import OpenSSLCrypto

/// An OCSP response (RFC 6960): the authority's status of a certificate, stapled so that clients need not request it.
final class OCSPResponse: Sendable {
    /// The response in DER.
    let bytes: [UInt8]
    /// When it is shown.
    let validityPeriod: ValidityPeriod

    /// Accepts a response of the certificate's authority with the status good. Dates are not checked. `source`: its
    /// file.
    init(der bytes: [UInt8], of chain: CertificateChain, source: String) throws(CertificateProblem) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        let response = bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes.baseAddress
            return d2i_OCSP_RESPONSE(nil, &rest, bytes.count)
        }
        defer { OCSP_RESPONSE_free(response) }
        guard let response, OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let answer = OCSP_response_get1_basic(response)
        else { throw CertificateProblem("is not a successful OCSP response; expected one in DER") }
        defer { OCSP_BASICRESP_free(answer) }
        // Clients would get trailing bytes too, and refuse the whole response.
        guard i2d_OCSP_RESPONSE(response, nil) == bytes.count else {
            throw CertificateProblem("has bytes after the OCSP response; expected one in DER and nothing else")
        }
        guard let authority = chain.authorities.first else {
            throw CertificateProblem("cannot be verified without the certificate's chain; expected the chain too")
        }
        let signerEnd = try answer.signerEnd(under: authority)
        let (begin, end) = try answer.goodTimes(in: chain)
        guard let begin, begin <= min(end ?? .max, signerEnd) else {
            throw CertificateProblem(
                "ends before it begins; expected thisUpdate before nextUpdate and before the end of its signer")
        }
        self.bytes = bytes
        // An authority's clock may be five minutes ahead.
        validityPeriod = ValidityPeriod(
            chain.validityPeriod.name, (begin - 300)...min(end ?? .max, signerEnd), warning: .ocspResponse,
            of: "\(source): the OCSP response", otherwise: "so it is not shown")
    }
}

/// A basic response; times are in seconds since the epoch.
extension OpaquePointer {
    /// When the certificate of its signer expires: the authority, or a responder that it authorised (section 4.2.2.2).
    fileprivate func signerEnd(under authority: X509Certificate) throws(CertificateProblem) -> Int64 {
        let anchor = TrustAnchor(authority)
        var signer: OpaquePointer?
        let isSigned = [authority].withStack { authorities in
            anchor != nil && OCSP_basic_verify(self, authorities, anchor?.store, UInt(OCSP_NOEXPLICIT)) == 1
                && OCSP_resp_get0_signer(self, &signer, authorities) == 1
        }
        if isSigned, let end = X509Certificate.seconds(X509_get0_notAfter(signer)) { return end }
        throw CertificateProblem(
            "is not signed by \(authority.subject) or a responder that it authorised "
                + "(\(OpenSSLErrorQueue.failure(to: "verify it").reason)); expected a response from that authority")
    }

    /// From when and until when a chain's certificate is good; without nextUpdate the end is nil.
    fileprivate func goodTimes(in chain: CertificateChain) throws(CertificateProblem) -> (begin: Int64?, end: Int64?) {
        // The responder may identify the certificate by either digest.
        for digest in [EVP_sha1(), EVP_sha256()] {
            let identifier = OCSP_cert_to_id(digest, chain.leaf.pointer, chain.authorities.first?.pointer)
            defer { OCSP_CERTID_free(identifier) }
            var (status, begin, end): (Int32, UnsafeMutablePointer<ASN1_TIME>?, UnsafeMutablePointer<ASN1_TIME>?)
            (status, begin, end) = (V_OCSP_CERTSTATUS_UNKNOWN, nil, nil)
            guard OCSP_resp_find_status(self, identifier, &status, nil, nil, &begin, &end) == 1 else { continue }
            let isGood = status == V_OCSP_CERTSTATUS_GOOD
            guard isGood else { throw CertificateProblem("does not say that the certificate is good") }
            return (begin.flatMap { X509Certificate.seconds($0) }, end.flatMap { X509Certificate.seconds($0) })
        }
        throw CertificateProblem("does not mention this certificate; expected a response about it")
    }
}
