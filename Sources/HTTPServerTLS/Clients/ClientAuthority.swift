/// One authority of those that vouch for clients, and what it takes for a client to be accepted by it. Times are seconds since
/// the epoch.
struct ClientAuthority: Sendable {
    private let subject: String
    private let issuer: String
    /// Nil if it has no end.
    private let validity: ClosedRange<Int64>?
    /// Its revocation lists, each as long as it is in force, nil for one without an end; nil where no lists are looked at.
    private let lists: [ClosedRange<Int64>?]?

    /// An authority with the lists that are its own.
    init(_ certificate: X509Certificate, lists: [RevocationList]?) {
        (subject, issuer, validity) = (certificate.subject, certificate.issuer, certificate.validity)
        self.lists = lists.map { lists in lists.filter { $0.names(certificate) }.map(\.validity) }
    }

    /// Whether clients are accepted by it at a time: it counts, a list of its own is in force, and so it is with the authority
    /// that vouches for it, up to one that vouches for itself.
    func accepts(at now: Int64, among all: [ClientAuthority]) -> Bool { accepts(at: now, all, ClientTrust.maxDepth) }

    private func accepts(at now: Int64, _ all: [ClientAuthority], _ depth: Int32) -> Bool {
        guard depth > 0, validity?.contains(now) != false else { return false }
        guard lists?.contains(where: { $0?.contains(now) != false }) != false else { return false }
        return issuer == subject || all.contains { $0.subject == issuer && $0.accepts(at: now, all, depth - 1) }
    }
}
