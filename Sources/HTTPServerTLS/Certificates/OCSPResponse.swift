import COpenSSL
import Glibc
import OpenSSLCrypto

/// An OCSP response (RFC 6960): the authority's status of a certificate, stapled so that clients need not request it.
final class OCSPResponse: Sendable {
    /// Seconds by which an authority's clock may be ahead.
    private static let leeway: Int64 = 300

    /// The response in DER.
    let bytes: [UInt8]
    /// When it is shown.
    let validityPeriod: ValidityPeriod

    /// Accepts a response of the certificate's authority with the status good. Dates are not checked. `source`: its
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
            throw CertificateProblem("cannot be verified without the certificate's chain; expected the chain too")
        }
        guard let signerEnd = answer.signerEnd(under: authority) else {
            let reason = OpenSSLErrorQueue.failure(to: "verify it").reason
            throw CertificateProblem(
                "is not signed by \(authority.subject) or a responder that it authorised (\(reason)); expected a "
                    + "response from that authority")
        }
        guard let status = answer.status(of: chain.leaf, by: authority) else {
            throw CertificateProblem("does not mention this certificate; expected a response about it")
        }
        guard status.isGood else { throw CertificateProblem("does not say that the certificate is good") }
        let end = min(status.end ?? .max, signerEnd)
        guard let begin = status.begin, begin <= end else {
            throw CertificateProblem(
                "ends before it begins; expected thisUpdate before nextUpdate and before the end of its signer")
        }
        return (begin - leeway)...end
    }

    /// Whether it can be shown at a time in seconds since the epoch.
    func serves(at now: Int64) -> Bool { validityPeriod.validity.contains(now) }
}

/// The one owner of the basic response within an OCSP response.
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
        else { throw CertificateProblem("is not a successful OCSP response; expected one in DER") }
        pointer = basic
        // Clients would get the trailing bytes too, and refuse the whole response.
        guard isWhole else {
            throw CertificateProblem("has bytes after the OCSP response; expected one in DER and nothing else")
        }
    }

    /// When the certificate of its signer expires, in seconds since the epoch. Nil if the signer is neither the
    /// authority nor a responder that it authorised (section 4.2.2.2); OpenSSL's queue then has the reasons.
    func signerEnd(under authority: X509Certificate) -> Int64? {
        guard let anchor = TrustAnchor(authority) else { return nil }
        var signer: OpaquePointer?
        let isSigned = [authority].withStack { authorities in
            OCSP_basic_verify(pointer, authorities, anchor.store, UInt(OCSP_NOEXPLICIT)) == 1
                && OCSP_resp_get0_signer(pointer, &signer, authorities) == 1
        }
        return isSigned ? X509Certificate.seconds(X509_get0_notAfter(signer)) : nil
    }

    /// Whether the certificate is good, and from when until when, in seconds since the epoch; nil if the response does
    /// not mention it. The end is nil without nextUpdate.
    func status(
        of certificate: X509Certificate, by authority: X509Certificate
    ) -> (isGood: Bool, begin: Int64?, end: Int64?)? {
        // The responder may identify the certificate by either digest.
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
