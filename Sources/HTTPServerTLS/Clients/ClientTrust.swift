import COpenSSL
import HTTPServer
import OpenSSLCrypto

/// Which client certificates are accepted: those issued by the authorities of a file and not revoked.
///
/// `@unchecked Sendable`: the store does not change after `init`, and OpenSSL locks the counters and caches in it
/// (openssl-threads(7)).
package final class ClientTrust: @unchecked Sendable {
    /// The files that it comes from, for messages.
    package struct Source: Hashable, Sendable {
        let authorities: String
        let revocations: String?

        /// The file that messages about revocation lists name.
        var lists: String { revocations ?? authorities }

        package init(authorities: String, revocations: String? = nil) {
            (self.authorities, self.revocations) = (authorities, revocations)
        }
    }

    /// The most authorities between a client's certificate and a trusted one; more than real chains have.
    static let maxDepth: Int32 = 8

    let store: OpaquePointer
    let authorities: [X509Certificate]
    /// A digest of the files' contents: sessions of a different trust must not resume.
    let fingerprint: [UInt8]
    /// When the first revocation list expires, in seconds since the epoch; never if there are none. From then on
    /// clients are verified again, even if other lists are valid.
    let revocationsEnd: Int64
    /// The validity period of each authority of the file, named by its subject.
    package let authorityValidityPeriods: [ValidityPeriod]
    /// The validity period of each authority's revocation list, named by that subject; lists without an end are left
    /// out.
    package let revocationValidityPeriods: [ValidityPeriod]
    private let accepting: [ClientAuthority]
    private let source: Source
    /// Identifies the owner of a verified certificate; called once for each connection.
    let identify: @Sendable (ClientCertificate) -> any PeerIdentity

    /// Trusts the authorities of a PEM text; other certificates in it are an error. If revocation lists are given, a
    /// PEM text too, each authority of a client's chain must have a valid one.
    package init(
        authorities pem: [UInt8], revocations lists: [UInt8]? = nil, source: Source,
        identify: @escaping @Sendable (ClientCertificate) -> any PeerIdentity
    ) throws(CertificateError) {
        let authorities = try Self.authorities(pem, source)
        let listed = try lists.map { (lists) throws(CertificateError) in
            try RevocationList.all(pem: lists, of: authorities, source: source.lists)
        }
        let revocations = listed ?? []
        guard let store = X509_STORE_new() else {
            throw CertificateError(source.authorities, "cannot be used: out of memory")
        }
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

    /// Messages about what is not valid or expires soon, at a time in seconds since the epoch. Periods in the future
    /// are left out while clients are accepted without them.
    package func warnings(at now: Int64) -> [String] {
        let isAccepting = failure(at: now) == nil
        return (authorityValidityPeriods + revocationValidityPeriods)
            .filter { !isAccepting || $0.validity.lowerBound <= now }.compactMap { $0.warning(at: now) }
    }

    /// Why no client is accepted at a time; nil if clients of one of the authorities are.
    package func failure(at now: Int64) -> String? {
        guard !accepting.contains(where: { $0.accepts(at: now, among: accepting) }) else { return nil }
        return (authorityValidityPeriods + revocationValidityPeriods).lazy.compactMap { $0.failure(at: now) }.first
            ?? "\(source.authorities): no client can be accepted: an issuer or a revocation list is missing; expected "
            + "each authority up to a self-signed one, and a revocation list of each if lists are configured"
    }

    /// Why a certificate that was accepted is no longer; nil if it still is. `chain`: the certificates sent with it.
    func refusal(of certificate: OpaquePointer, chain: OpaquePointer?, level: Int32) -> String? {
        OpenSSLErrorQueue.clear()
        defer { OpenSSLErrorQueue.clear() }
        let verification = CertificateVerification(
            of: certificate, chain: chain, trusting: store, purpose: "ssl_client", level: level)
        switch verification {
        case .accepted: return nil
        case .refused(_, let reason): return reason
        case .impossible: return "it cannot be verified"
        case nil: return "out of memory"
        }
    }

    private static func authorities(_ pem: [UInt8], _ source: Source) throws(CertificateError) -> [X509Certificate] {
        let certificates: [X509Certificate]
        do { certificates = try X509Certificate.chain(pem: pem) } catch {
            throw CertificateError(
                source.authorities, noneOf: "certificates", in: pem, error, label: "CERTIFICATE", expected: "PEM")
        }
        guard let other = certificates.first(where: { !$0.isAuthority }) else { return certificates }
        throw CertificateError(
            source.authorities,
            "has the certificate of \(other.subject), which is not an authority; expected only authorities")
    }

    private static func fingerprint(_ authorities: [UInt8], _ revocations: [UInt8]?) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array("\(authorities.count):".utf8) + authorities + (revocations ?? [])
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}

extension X509Certificate {
    /// Whether it may issue certificates (RFC 5280 section 4.2.1.9).
    fileprivate var isAuthority: Bool { X509_check_ca(pointer) == 1 }

    fileprivate func authorityValidityPeriod(_ source: String) -> ValidityPeriod? {
        validity.map {
            ValidityPeriod(
                subject, $0, warning: .clientAuthority, of: "\(source): the authority \(subject)",
                otherwise: "so its clients are refused")
        }
    }
}

/// One of the authorities that issue client certificates, and when clients of it are accepted. Times are seconds since
/// the epoch.
struct ClientAuthority: Sendable {
    private let subject: String
    private let issuer: String
    /// Nil if its dates are malformed.
    private let validity: ClosedRange<Int64>?
    /// The validity of each of its revocation lists, nil for one without an end; nil if no lists are configured.
    private let lists: [ClosedRange<Int64>?]?

    /// An authority with those of the lists that it issued.
    init(_ certificate: X509Certificate, lists: [RevocationList]?) {
        (subject, issuer, validity) = (certificate.subject, certificate.issuer, certificate.validity)
        self.lists = lists.map { lists in lists.filter { $0.names(certificate) }.map(\.validity) }
    }

    /// Whether its clients are accepted at a time: it is valid, has a valid revocation list if lists are configured, and
    /// the same is true of its issuer, up to a self-signed one.
    func accepts(at now: Int64, among all: [ClientAuthority]) -> Bool { accepts(at: now, all, ClientTrust.maxDepth) }

    private func accepts(at now: Int64, _ all: [ClientAuthority], _ depth: Int32) -> Bool {
        guard depth > 0, validity?.contains(now) != false else { return false }
        guard lists?.contains(where: { $0?.contains(now) != false }) != false else { return false }
        return issuer == subject || all.contains { $0.subject == issuer && $0.accepts(at: now, all, depth - 1) }
    }
}
