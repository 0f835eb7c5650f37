import COpenSSL
import HTTPServer
import OpenSSLObjects

/// Which certificates of clients are accepted: those that an authority of a file vouches for, unless it has revoked them.
///
/// `@unchecked Sendable`: nobody adds to the store after `init`, and OpenSSL counts and caches in it under locks of its own
/// (openssl-threads(7)).
package final class ClientTrust: @unchecked Sendable {
    /// The names of the files that it comes from, for the sentences.
    package struct Source: Hashable, Sendable {
        let authorities: String
        let revocations: String?

        /// The file that lists are told of by.
        var lists: String { revocations ?? authorities }

        /// Names the files.
        package init(authorities: String, revocations: String? = nil) {
            (self.authorities, self.revocations) = (authorities, revocations)
        }
    }

    /// Authorities between a client's certificate and the one that is trusted; more than anybody has.
    static let maxDepth: Int32 = 8

    let store: OpaquePointer
    let authorities: [X509Certificate]
    /// Of the files' contents: what is no longer the same must not be resumed.
    let fingerprint: [UInt8]
    /// When the first of the revocation lists ends, in seconds since the epoch; never if there are none. From then on clients
    /// are verified anew, whatever lists there are besides.
    let revocationsEnd: Int64
    /// From when and until when each authority of the file counts, by its subject.
    package let authorityValidityPeriods: [ValidityPeriod]
    /// The same of each authority's revocation list, by the authority's subject; without those that do not end.
    package let revocationValidityPeriods: [ValidityPeriod]
    private let accepting: [ClientAuthority]
    private let source: Source
    /// Who the owner of a verified certificate is; asked once for each connection.
    let identify: @Sendable (ClientCertificate) -> any PeerIdentity

    /// Trusts the authorities of a PEM text, each of which must be one that vouches for itself or for others. With
    /// revocation lists, a PEM text too, each authority of a client's chain must have one that is in force.
    package init(
        authorities pem: [UInt8], revocations lists: [UInt8]? = nil, source: Source,
        identify: @escaping @Sendable (ClientCertificate) -> any PeerIdentity
    ) throws(CertificateError) {
        let authorities = try Self.authorities(pem, source)
        let listed = try lists.map { (lists) throws(CertificateError) in
            try RevocationList.all(pem: lists, of: authorities, source: source.lists)
        }
        let revocations = listed ?? []
        guard let store = X509_STORE_new() else { throw CertificateError(source.authorities, "finds no memory") }
        (self.store, self.authorities, self.source, self.identify) = (store, authorities, source, identify)
        accepting = authorities.map { ClientAuthority($0, lists: listed) }
        authorityValidityPeriods = ValidityPeriod.latest(
            authorities.compactMap { $0.authorityValidityPeriod(source.authorities) })
        revocationValidityPeriods = ValidityPeriod.latest(revocations.compactMap { $0.validityPeriod(source.lists) })
        revocationsEnd = revocations.compactMap(\.nextUpdate).min() ?? .max
        fingerprint = Self.fingerprint(pem, lists)
        for authority in authorities { X509_STORE_add_cert(store, authority.pointer) }
        for list in revocations { X509_STORE_add_crl(store, list.pointer) }
        if lists != nil { X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)) }
    }

    deinit {
        X509_STORE_free(store)
    }

    /// What is allowed but will not work, or not for long, at a time in seconds since the epoch. What has yet to begin is no
    /// matter as long as clients are accepted without it.
    package func warnings(at now: Int64) -> [String] {
        let isAccepting = failure(at: now) == nil
        return (authorityValidityPeriods + revocationValidityPeriods)
            .filter { !isAccepting || $0.validity.lowerBound <= now }.compactMap { $0.warning(at: now) }
    }

    /// Why no client is accepted at a time; nil where one of the authorities has all that it takes.
    package func failure(at now: Int64) -> String? {
        guard !accepting.contains(where: { $0.accepts(at: now, among: accepting) }) else { return nil }
        return (authorityValidityPeriods + revocationValidityPeriods).lazy.compactMap { $0.failure(at: now) }.first
            ?? "\(source.authorities): no client is accepted by its authorities; expected one that vouches for itself, and a "
            + "revocation list of each where lists are looked at"
    }

    /// Why a certificate that was accepted before is not now; nil if it is. `chain` is what the client showed with it.
    func refusal(of certificate: OpaquePointer, chain: OpaquePointer?, level: Int32) -> String? {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        let verification = CertificateVerification(
            of: certificate, chain: chain, trusting: store, purpose: "ssl_client", level: level)
        switch verification {
        case .accepted: return nil
        case .refused(_, let reason): return reason
        case .impossible: return "it cannot be verified"
        case nil: return "there is no memory"
        }
    }

    private static func authorities(_ pem: [UInt8], _ source: Source) throws(CertificateError) -> [X509Certificate] {
        let certificates: [X509Certificate]
        do throws(OpenSSLFailure) {
            certificates = try X509Certificate.chain(pem: pem)
        } catch {
            throw CertificateError(
                source.authorities, "holds no certificates that can be read (\(error.reason)); expected PEM")
        }
        guard let other = certificates.first(where: { !$0.isAuthority }) else { return certificates }
        throw CertificateError(
            source.authorities,
            "has the certificate of \(other.subject), which is no authority; expected authorities alone")
    }

    private static func fingerprint(_ authorities: [UInt8], _ revocations: [UInt8]?) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array("\(authorities.count):".utf8) + authorities + (revocations ?? [])
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}

extension X509Certificate {
    /// Whether it may vouch for others (RFC 5280 section 4.2.1.9).
    fileprivate var isAuthority: Bool { X509_check_ca(pointer) == 1 }

    fileprivate func authorityValidityPeriod(_ source: String) -> ValidityPeriod? {
        validity.map {
            ValidityPeriod(
                subject, $0, of: "\(source): the authority \(subject)",
                otherwise: "so its clients are refused")
        }
    }
}
