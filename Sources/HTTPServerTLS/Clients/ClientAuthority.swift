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
