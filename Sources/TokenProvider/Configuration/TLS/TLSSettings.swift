import HTTPServer

extension SettingsTable {
    /// Serving by https.
    static let tls: [any ConfigurationSetting] = [
        Setting(
            "tls.listen", \.tls.listen, .list(of: .listenAddress, allowsNone: true),
            "Where to listen for https, besides listen."),
        Setting(
            "tls.certificates", \.tls.certificates,
            .records(
                "a list of certificates, each with certificate and key", example: CertificateRecord.example,
                CertificateRecord.read),
            "What clients are shown: the certificate for the name they ask for, or else the first; of an RSA and an ECDSA "
                + "one for the same name whichever they understand. SIGHUP reads them anew."),
    ]
}

extension ConfigurationRule {
    /// Without these https could not be served.
    static let tlsRules = [certified]

    /// What of it is allowed but unwise.
    static let tlsAdvice = [idleCertificates, tokensInClear]

    private static let certified = ConfigurationRule(keys: ["tls.listen", "tls.certificates"]) { values in
        guard !values.tls.listen.isEmpty, values.tls.certificates.isEmpty else { return nil }
        return "there is no certificate to serve https by; expected tls.certificates"
    }

    private static let idleCertificates = ConfigurationRule(keys: ["tls.certificates", "tls.listen"]) { values in
        guard values.tls.listen.isEmpty, !values.tls.certificates.isEmpty else { return nil }
        return "the certificates serve nobody, since tls.listen is empty"
    }

    /// Who names proxies says that something in front speaks TLS.
    private static let tokensInClear = ConfigurationRule(
        keys: ["listen", "proxies.trusted", "proxies.proxy_protocol"]
    ) { values in
        guard values.proxies.trusted.isEmpty, values.proxies.proxyProtocol.isEmpty else { return nil }
        return values.listen.first { !$0.isLoopback }.map {
            "tokens go in clear to whoever asks at \"\($0)\"; expected tls.listen, or a proxy in front (proxies.trusted)"
        }
    }
}
