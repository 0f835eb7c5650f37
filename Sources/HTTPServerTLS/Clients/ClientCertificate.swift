/// What a client's certificate says of who they are; it has been verified.
package struct ClientCertificate: Sendable {
    /// The URIs among the alternative names of its subject (RFC 5280 section 4.2.1.6), as bytes.
    package let uris: [[UInt8]]
    /// The DNS names among them.
    package let dnsNames: [[UInt8]]
    /// The e-mail addresses among them.
    package let emails: [[UInt8]]
    /// The subject in the notation of RFC 2253; ASCII, with everything else escaped.
    package let subject: String
    /// Until when it counts, in seconds since the epoch.
    package let expiresAt: Int64

    init(_ certificate: X509Certificate, expiresAt: Int64) {
        let names = certificate.alternativeNames
        uris = names.compactMap { $0.kind == .uri ? $0.bytes : nil }
        dnsNames = names.compactMap { $0.kind == .dns ? $0.bytes : nil }
        emails = names.compactMap { $0.kind == .email ? $0.bytes : nil }
        subject = certificate.subject
        self.expiresAt = expiresAt
    }
}

/// Whether the clients of a listener have to show a certificate.
package enum ClientDemand: String, CaseIterable, Sendable {
    /// They are not asked for one.
    case none
    /// Who shows one must have it verified.
    case optional
    /// Who shows none is refused.
    case required
}
