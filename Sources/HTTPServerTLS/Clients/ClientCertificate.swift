/// The names in a client's verified certificate.
package struct ClientCertificate: Sendable {
    /// The URIs among the alternative names of its subject (RFC 5280 section 4.2.1.6), as bytes.
    package let uris: [[UInt8]]
    /// The DNS names among them.
    package let dnsNames: [[UInt8]]
    /// The e-mail addresses among them.
    package let emails: [[UInt8]]
    /// The subject in the notation of RFC 2253; ASCII, with everything else escaped.
    package let subject: String
    /// When it expires, in seconds since the epoch.
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

/// Whether the clients of a listener must present a certificate.
package enum ClientDemand: String, CaseIterable, Sendable {
    /// No certificate is requested.
    case none
    /// A certificate is optional, but must be valid if presented.
    case optional
    /// Clients without a certificate are refused.
    case required
}
