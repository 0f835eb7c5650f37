internal import COpenSSL
import Glibc
internal import OpenSSLObjects

/// What a certificate's authority has said of it (RFC 6960), to be shown with it, so that clients need not ask.
final class OCSPResponse: Sendable {
    /// As it was read, in DER.
    let bytes: [UInt8]
    /// Until when it serves, in seconds since the epoch; nil if it does not say.
    let expiresAt: Int64?

    /// Takes a response that says that the certificate is good.
    init(der bytes: [UInt8], of certificate: X509Certificate, by authority: X509Certificate?) throws(OCSPProblem) {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        guard let authority else { throw OCSPProblem("is of no use without the certificate's chain; expected it too") }
        guard let answer = BasicOCSPResponse(der: bytes) else {
            throw OCSPProblem("is no successful OCSP response; expected one in DER")
        }
        guard let status = answer.status(of: certificate, by: authority) else {
            throw OCSPProblem("says nothing of this certificate; expected a response about it")
        }
        guard status.isGood else { throw OCSPProblem("does not say that the certificate is good") }
        (self.bytes, expiresAt) = (bytes, status.expiresAt)
    }

    /// Whether it serves at a time in seconds since the epoch.
    func serves(at now: Int64) -> Bool { expiresAt.map { now < $0 } ?? true }
}

/// A predicate of a response's file.
struct OCSPProblem: Error {
    let predicate: String

    init(_ predicate: String) { self.predicate = predicate }
}

/// The one owner of a response's part that says something.
private final class BasicOCSPResponse {
    private let pointer: OpaquePointer

    init?(der bytes: [UInt8]) {
        let response = bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_OCSP_RESPONSE(nil, &start, bytes.count)
        }
        defer { OCSP_RESPONSE_free(response) }
        guard let response, OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = OCSP_response_get1_basic(response)
        else { return nil }
        pointer = basic
    }

    /// Nil if it does not speak of the certificate.
    func status(
        of certificate: X509Certificate, by authority: X509Certificate
    ) -> (isGood: Bool, expiresAt: Int64?)? {
        let identifier = OCSP_cert_to_id(EVP_sha1(), certificate.pointer, authority.pointer)
        defer { OCSP_CERTID_free(identifier) }
        var status: Int32 = 0
        var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        guard let identifier, OCSP_resp_find_status(pointer, identifier, &status, nil, nil, nil, &next) == 1 else {
            return nil
        }
        return (status == V_OCSP_CERTSTATUS_GOOD, next.flatMap { X509Certificate.seconds($0) })
    }

    deinit {
        OCSP_BASICRESP_free(pointer)
    }
}
