import COpenSSL
import OpenSSLCrypto

/// The one owner of an authority's list of revoked certificates (RFC 5280 section 5).
///
/// `@unchecked Sendable`: the object does not change after `init`, and OpenSSL locks the caches in it
/// (openssl-threads(7)).
final class RevocationList: @unchecked Sendable {
    let pointer: OpaquePointer
    /// When the next list is due, in seconds since the epoch; nil if it does not say.
    let nextUpdate: Int64?

    /// Takes ownership of the list and frees it in `deinit`.
    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
        nextUpdate = X509_CRL_get0_nextUpdate(pointer).flatMap { X509Certificate.seconds($0) }
    }

    deinit {
        X509_CRL_free(pointer)
    }

    /// The lists of a PEM text; those of a known authority must have its signature.
    static func all(
        pem: [UInt8], of authorities: [X509Certificate], source: String
    ) throws(CertificateError) -> [RevocationList] {
        let lists: [RevocationList]
        do throws(OpenSSLFailure) {
            lists = try PEMText.objects(of: pem, called: "revocation lists") { bio in
                PEM_read_bio_X509_CRL(bio, nil, { _, _, _, _ in -1 }, nil).map {
                    RevocationList(takingOwnershipOf: $0)
                }
            }
        } catch {
            throw CertificateError(
                source, noneOf: "revocation lists", in: pem, error, label: "X509 CRL", expected: "PEM (X509 CRL)")
        }
        for list in lists {
            if let forged = authorities.first(where: { list.names($0) && !list.isSigned(by: $0) }) {
                throw CertificateError(
                    source, "has a list in the name of \(forged.subject) that it did not sign; expected its signature")
            }
        }
        return lists
    }

    /// From when it is valid until when the next one is due, in seconds since the epoch; nil if it does not say.
    var validity: ClosedRange<Int64>? {
        guard let end = nextUpdate, let begin = X509Certificate.seconds(X509_CRL_get0_lastUpdate(pointer)), begin <= end
        else { return nil }
        return begin...end
    }

    /// The same with its messages, named by its issuer.
    func validityPeriod(_ source: String) -> ValidityPeriod? {
        guard let validity else { return nil }
        let issuer = X509Certificate.text(of: X509_CRL_get_issuer(pointer))
        return ValidityPeriod(
            issuer, validity, warning: .revocationList, of: "\(source): the revocation list of \(issuer)",
            otherwise: "so clients of this authority are refused")
    }

    /// Whether it names this authority as its issuer.
    func names(_ authority: X509Certificate) -> Bool {
        X509_NAME_cmp(X509_CRL_get_issuer(pointer), X509_get_subject_name(authority.pointer)) == 0
    }

    private func isSigned(by authority: X509Certificate) -> Bool {
        defer { OpenSSLErrorQueue.clear() }
        return X509_CRL_verify(pointer, X509_get0_pubkey(authority.pointer)) == 1
    }
}
