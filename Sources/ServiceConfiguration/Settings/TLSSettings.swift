extension SettingsTable {
    /// Serving by https.
    package static let tls: [any ConfigurationSetting] = [
        Setting(
            "tls.listen", \.tls.listen, .list(of: .listenAddress, allowsNone: true),
            "The addresses for https."
        ).atStart,
        Setting(
            "tls.certificates", \.tls.certificates,
            .records(
                "a list of certificates, each with certificate and key", example: CertificateRecord.example,
                CertificateRecord.read),
            "The certificates of this server. A client gets the one for the name it asks for, or else the first. Of an RSA "
                + "and an ECDSA certificate for one name, it gets the one that it supports. passphrase_file and "
                + "ocsp_response are optional."),
        Setting(
            "tls.client_certificates", \.tls.clientCertificates, .one(.word),
            "Whether clients of tls.listen need a certificate. none: they are not asked for one. optional: one that is sent "
                + "must be valid. required: a client without one is refused."
        ).atStart,
        Setting(
            "tls.client_ca_file", \.tls.clientCAFile,
            .optional(
                .path("the path of CA certificates (PEM)"), example: "/etc/token-provider/clients.pem"),
            "The authorities that are trusted for client certificates, by which rules can name callers. A reload reads it "
                + "again; clients that are no longer trusted are refused."),
        Setting(
            "tls.client_crl_file", \.tls.clientCRLFile,
            .optional(
                .path("the path of revocation lists (PEM), one of each authority of a client's chain"),
                example: "/etc/token-provider/clients.crl"),
            "Revocation lists for client certificates. With it, clients are accepted only while all these lists are valid."
        ),
        Setting(
            "tls.client_names", \.tls.clientNames, .list(of: .word, allowsNone: false),
            "Which name of a client certificate identifies the caller: the first of these kinds that it has. It must have "
                + "only one name of that kind. uri, dns and email are alternative names; subject is the whole subject."),
    ]
}

/// One of `tls.certificates`, as a file gives it.
enum CertificateRecord {
    static let example = """
        - certificate: /etc/token-provider/tls.pem
          key: /etc/token-provider/tls.key
          passphrase_file: /etc/token-provider/tls.pass
          ocsp_response: /etc/token-provider/tls.ocsp
        """

    static func read(_ record: SettingRecord) throws(SettingFailure) -> Configuration.TLS.Certificate {
        var reader = RecordReader(record)
        let certificate = reader.required("certificate", .one(.path("the path of a certificate and its chain (PEM)")))
        let key = reader.required("key", .one(.path("the path of the certificate's private key (PEM)")))
        let passphrase = reader.value("passphrase_file", .one(.path("the path of the key's passphrase")))
        let response = reader.value("ocsp_response", .one(.path("the path of an OCSP response (DER)")))
        return try reader.finish {
            guard let certificate, let key else { return nil }
            return Configuration.TLS.Certificate(
                certificate: certificate, key: key, passphrase: passphrase, response: response)
        }
    }
}
