import CallerAccess
import HTTPServer
import HTTPServerTLS

/// The principal of a client certificate, read once for each connection.
package final class CertificateCaller: PeerIdentity, Equatable {
    /// The principal, or why the certificate names none.
    package let principal: Result<Principal, CallerRefusal>

    /// The owner of a certificate of this name.
    package init(_ name: CertificateName) {
        principal = .success(
            Principal(name: name.description, source: .certificate(name), claims: nil, expiresAt: nil))
    }

    /// The owner, by the first of these kinds of names that the certificate has. It must have only one of that kind.
    package init(_ certificate: ClientCertificate, named kinds: [CertificateName.Kind]) {
        principal = Result { () throws(CallerRefusal) in
            let name = try Self.name(certificate, kinds)
            return Principal(
                name: name.description, source: .certificate(name), claims: nil, expiresAt: certificate.expiresAt)
        }
    }

    private static func name(
        _ certificate: ClientCertificate, _ kinds: [CertificateName.Kind]
    ) throws(CallerRefusal) -> CertificateName {
        for kind in kinds {
            let names = certificate.names(kind)
            guard let first = names.first else { continue }
            guard names.count == 1 else {
                throw refusal("has \(names.count) names of the kind \(kind.rawValue); expected one")
            }
            guard let name = CertificateName(kind, first) else {
                throw refusal("has a name of the kind \(kind.rawValue) that is empty, too long or not of visible ASCII")
            }
            return name
        }
        throw refusal("has no name of the kinds \(kinds.map(\.rawValue).joined(separator: ", ")) (tls.client_names)")
    }

    private static func refusal(_ predicate: String) -> CallerRefusal {
        CallerRefusal(.invalidCredentials, "the client's certificate \(predicate)")
    }

    /// Whether both are of one connection.
    package static func == (one: CertificateCaller, other: CertificateCaller) -> Bool { one === other }
}

extension ClientCertificate {
    fileprivate func names(_ kind: CertificateName.Kind) -> [[UInt8]] {
        switch kind {
        case .uri: uris
        case .dns: dnsNames
        case .email: emails
        case .subject: subject.isEmpty ? [] : [Array(subject.utf8)]
        }
    }
}
