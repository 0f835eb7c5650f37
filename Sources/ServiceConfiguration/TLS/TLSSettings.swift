extension SettingsTable {
    /// Serving by https.
    package static let tls: [any ConfigurationSetting] = [
        Setting(
            "tls.listen", \.tls.listen, .list(of: .listenAddress, allowsNone: true),
            "Where to listen for https, besides listen."
        ).atStart,
        Setting(
            "tls.certificates", \.tls.certificates,
            .records(
                "a list of certificates, each with certificate and key", example: CertificateRecord.example,
                CertificateRecord.read),
            "What clients are shown: the certificate for the name they ask for, or else the first; of an RSA and an ECDSA "
                + "one for the same name whichever they understand. SIGHUP reads them anew."),
        Setting(
            "tls.client_certificates", \.tls.clientCertificates, .one(.word),
            "Whether clients at tls.listen show a certificate: none are asked; optional: who shows one must have it verified; "
                + "required: who shows none is refused. A listener of listeners says its own."
        ).atStart,
        Setting(
            "tls.client_ca_file", \.tls.clientCAFile,
            .optional(
                .path("the path of the authorities that vouch for clients (PEM)"),
                example: "/etc/token-provider/clients.pem"),
            "Clients whose certificate these vouch for have proved who they are, for rules (certificates). SIGHUP reads it "
                + "anew, and who is no longer vouched for is heard no more."),
        Setting(
            "tls.client_crl_file", \.tls.clientCRLFile,
            .optional(
                .path("the path of revocation lists (PEM), one of each authority of a client's chain"),
                example: "/etc/token-provider/clients.crl"),
            "Certificates that are revoked. With it a client is accepted only while all of these lists are in force; SIGHUP "
                + "reads them anew."),
        Setting(
            "tls.client_names", \.tls.clientNames, .list(of: .word, allowsNone: false),
            "Which name of a certificate is its owner's for rules: the first of these kinds that it has, of which it must "
                + "have only one. uri, dns and email are alternative names; subject is the whole subject."),
    ]
}

extension ConfigurationRule {
    /// Without these https could not be served.
    static let tlsRules = [certified, verified]

    /// What of it is allowed but unwise.
    static let tlsAdvice = [idleCertificates, idleAuthorities]

    private static let certified = ConfigurationRule(
        keys: ["tls.listen", "listeners", "tls.certificates"]
    ) { values in
        guard values.allListeners.contains(where: \.isSecure), values.tls.certificates.isEmpty else { return nil }
        return "there is no certificate to serve https by; expected tls.certificates"
    }

    private static let verified = ConfigurationRule(
        keys: ["tls.client_certificates", "tls.client_crl_file", "listeners", "tls.client_ca_file"]
    ) { values in
        guard values.tls.clientCAFile == nil, values.asksForCertificates || values.tls.clientCRLFile != nil else {
            return nil
        }
        return "there is nobody to verify clients' certificates by; expected tls.client_ca_file"
    }

    private static let idleCertificates = ConfigurationRule(
        keys: ["tls.certificates", "tls.listen", "listeners"]
    ) { values in
        guard !values.allListeners.contains(where: \.isSecure), !values.tls.certificates.isEmpty else { return nil }
        return "the certificates serve nobody, since tls.listen is empty"
    }

    private static let idleAuthorities = ConfigurationRule(
        keys: ["tls.client_ca_file", "tls.client_certificates", "listeners"]
    ) { values in
        guard values.tls.clientCAFile != nil, !values.asksForCertificates else { return nil }
        return "no listener asks clients for a certificate; expected tls.client_certificates"
    }
}

extension ConfigurationValues {
    /// Whether any listener asks clients for a certificate.
    fileprivate var asksForCertificates: Bool {
        allListeners.contains { listener in listener.clients.map { $0 != .none } ?? false }
    }
}
