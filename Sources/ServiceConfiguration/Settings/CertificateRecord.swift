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
