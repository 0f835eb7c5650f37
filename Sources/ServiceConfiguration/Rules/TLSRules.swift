extension ConfigurationRule {
    /// The binding rules about TLS.
    static let tlsRules = [certified, verified]

    /// Settings that are allowed but unwise.
    static let tlsAdvice = [idleCertificates, idleAuthorities]

    private static let certified = ConfigurationRule(
        keys: ["tls.listen", "listeners", "tls.certificates"]
    ) { values in
        guard values.allListeners.contains(where: \.isSecure), values.tls.certificates.isEmpty else { return nil }
        return "https needs a certificate; expected tls.certificates"
    }

    private static let verified = ConfigurationRule(
        keys: ["tls.client_certificates", "tls.client_crl_file", "listeners", "tls.client_ca_file"]
    ) { values in
        guard values.tls.clientCAFile == nil, values.asksForCertificates || values.tls.clientCRLFile != nil else {
            return nil
        }
        return "client certificates cannot be verified; expected tls.client_ca_file"
    }

    private static let idleCertificates = ConfigurationRule(
        keys: ["tls.certificates", "tls.listen", "listeners"]
    ) { values in
        guard !values.allListeners.contains(where: \.isSecure), !values.tls.certificates.isEmpty else { return nil }
        return "the certificates are not used, because no listener has TLS; expected tls.listen"
    }

    private static let idleAuthorities = ConfigurationRule(
        keys: ["tls.client_ca_file", "tls.client_certificates", "listeners"]
    ) { values in
        guard values.tls.clientCAFile != nil, !values.asksForCertificates else { return nil }
        return "no listener asks clients for a certificate; expected tls.client_certificates"
    }
}

extension Configuration {
    /// The same, or whether a socket that replaces `tls.listen` will: `check` does not see such sockets.
    var mayAskForCertificates: Bool { asksForCertificates || tls.clientCertificates != .none }

    /// Whether any listener asks clients for a certificate.
    fileprivate var asksForCertificates: Bool {
        allListeners.contains { listener in listener.clients.map { $0 != .none } ?? false }
    }
}
