import COpenSSL
import Glibc
import OpenSSLObjects

/// What a certificate's authority has said of it (RFC 6960), to be shown with it, so that clients need not ask.
final class OCSPResponse: Sendable {
    /// Seconds by which an authority's clock may be ahead.
    private static let leeway: Int64 = 300

    /// As it was read, in DER.
    let bytes: [UInt8]
    /// From when and until when it is shown.
    let validityPeriod: ValidityPeriod

    /// Takes a response that says that the certificate is good, and is its authority's; dates are no matter. `source`: its
    /// file.
    init(der bytes: [UInt8], of chain: CertificateChain, source: String) throws(CertificateProblem) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        let answer = try BasicOCSPResponse(der: bytes)
        let validity = try Self.validity(answer, of: chain)
        self.bytes = bytes
        validityPeriod = ValidityPeriod(
            chain.validityPeriod.name, validity, of: "\(source): the OCSP response",
            otherwise: "so it is not shown")
    }

    private static func validity(
        _ answer: BasicOCSPResponse, of chain: CertificateChain
    ) throws(CertificateProblem) -> ClosedRange<Int64> {
        guard let authority = chain.authorities.first else {
            throw CertificateProblem("cannot be verified without the certificate's chain; expected it too")
        }
        guard let signerEnd = answer.signerEnd(under: authority) else {
            let reason = OpenSSLErrorQueue.failure(to: "verify it").reason
            throw CertificateProblem(
                "is not signed by \(authority.subject), nor by a responder of that authority's (\(reason)); expected its own"
            )
        }
        guard let status = answer.status(of: chain.leaf, by: authority) else {
            throw CertificateProblem("says nothing of this certificate; expected a response about it")
        }
        guard status.isGood else { throw CertificateProblem("does not say that the certificate is good") }
        let end = min(status.end ?? .max, signerEnd)
        guard let begin = status.begin, begin <= end else {
            throw CertificateProblem(
                "is over before it begins; expected thisUpdate, then nextUpdate or its signer's end")
        }
        return (begin - leeway)...end
    }

    /// Whether it serves at a time in seconds since the epoch.
    func serves(at now: Int64) -> Bool { validityPeriod.validity.contains(now) }
}

/// The one owner of a response's part that says something.
private final class BasicOCSPResponse {
    private let pointer: OpaquePointer

    init(der bytes: [UInt8]) throws(CertificateProblem) {
        let (response, isWhole) = bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes.baseAddress
            let response = d2i_OCSP_RESPONSE(nil, &rest, bytes.count)
            return (response, rest == bytes.baseAddress.map { $0 + bytes.count })
        }
        defer { OCSP_RESPONSE_free(response) }
        guard let response, OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = OCSP_response_get1_basic(response)
        else { throw CertificateProblem("is no successful OCSP response; expected one in DER") }
        pointer = basic
        // Clients would be shown the rest too, and refuse the whole.
        guard isWhole else {
            throw CertificateProblem("has bytes behind the OCSP response; expected one in DER, and nothing else")
        }
    }

    /// Until when the certificate of its signer is valid, in seconds since the epoch; nil, with OpenSSL's reasons in its
    /// queue, if that is neither the authority's nor one that it lets sign responses (section 4.2.2.2).
    func signerEnd(under authority: X509Certificate) -> Int64? {
        guard let anchor = TrustAnchor(authority) else { return nil }
        var signer: OpaquePointer?
        let isSigned = [authority].withStack { authorities in
            OCSP_basic_verify(pointer, authorities, anchor.store, UInt(OCSP_NOEXPLICIT)) == 1
                && OCSP_resp_get0_signer(pointer, &signer, authorities) == 1
        }
        return isSigned ? X509Certificate.seconds(X509_get0_notAfter(signer)) : nil
    }

    /// Whether the certificate is good, from when and until when that holds, in seconds since the epoch; nil if it does not
    /// speak of it. There is no end if it does not say.
    func status(
        of certificate: X509Certificate, by authority: X509Certificate
    ) -> (isGood: Bool, begin: Int64?, end: Int64?)? {
        // By whichever digest the certificate was asked for.
        for digest in [EVP_sha1(), EVP_sha256()] {
            let identifier = OCSP_cert_to_id(digest, certificate.pointer, authority.pointer)
            defer { OCSP_CERTID_free(identifier) }
            var status: Int32 = 0
            var (this, next): (UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?, UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?)
            guard let identifier, OCSP_resp_find_status(pointer, identifier, &status, nil, nil, &this, &next) == 1
            else { continue }
            return (
                status == V_OCSP_CERTSTATUS_GOOD, this.flatMap { X509Certificate.seconds($0) },
                next.flatMap { X509Certificate.seconds($0) }
            )
        }
        return nil
    }

    deinit {
        OCSP_BASICRESP_free(pointer)
    }
}
