import FleetEngineToken

/// A name of a client's certificate, by its kind, so that no certificate is taken for another's by a name of another kind: written `uri:spiffe://fleet/dispatch`, `dns:dispatch.internal`, `email:ops@example.com` or
/// `subject:CN=dispatch,O=Example`.
package struct CertificateName: Hashable, Sendable, CustomStringConvertible {
    /// Where in a certificate a name is: an alternative name of the subject (RFC 5280 section 4.2.1.6), or the subject.
    package enum Kind: String, CaseIterable, Sendable {
        case uri, dns, email, subject
    }

    /// The most bytes of a name.
    package static let maxBytes = 512

    /// Where it is.
    package let kind: Kind
    /// The name itself: visible ASCII and blanks; a DNS name in lower case.
    private let value: [UInt8]

    /// Nil if the name is empty, over 512 bytes, or has a byte that is neither visible ASCII nor a blank.
    package init?(_ kind: Kind, _ value: some Collection<UInt8>) {
        guard (1...Self.maxBytes).contains(value.count), value.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        self.kind = kind
        // Names of hosts are compared without case (RFC 4343).
        self.value = kind == .dns ? value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } : Array(value)
    }

    /// The name of a text as above; nil if it is not a name.
    package init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let kind = Kind(rawValue: String(text[..<colon]))
        else { return nil }
        self.init(kind, text.utf8[text.utf8.index(after: colon)...])
    }

    /// The kind, a colon and the name.
    package var description: String { "\(kind.rawValue):\(String(decoding: value, as: UTF8.self))" }
}
