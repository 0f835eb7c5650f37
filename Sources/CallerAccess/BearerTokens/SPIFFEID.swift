import StrictJSON

/// The name of a workload: `spiffe://TRUST_DOMAIN/PATH` (SPIFFE-ID, section 2). Only the one way to write it is accepted.
package enum SPIFFEID {
    private static let maxBytes = 2048
    private static let maxTrustDomainBytes = 255

    /// Lower-case letters, digits, dots, hyphens and underscores.
    static func isTrustDomain(_ name: String) -> Bool {
        (1...maxTrustDomainBytes).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isAlphanumeric(or: ".-_") && !(0x41...0x5A).contains($0) }
    }

    /// The trust domain's own id, the beginning of all others in it.
    package static func own(_ trustDomain: String) -> String { "spiffe://\(trustDomain)" }

    /// Whether a text begins like the ids in a trust domain.
    static func names(_ trustDomain: String, _ text: String) -> Bool {
        text.utf8.starts(with: "\(own(trustDomain))/".utf8)
    }

    /// Whether a text is the id of a workload in a trust domain: its path has no empty or relative segments.
    static func isWorkload(of trustDomain: String, _ text: String) -> Bool {
        guard names(trustDomain, text), text.utf8.count <= maxBytes else { return false }
        let path = text.utf8.dropFirst(own(trustDomain).utf8.count + 1)
        return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { segment in
            !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
                && segment.allSatisfy { $0.isAlphanumeric(or: ".-_") }
        }
    }
}
