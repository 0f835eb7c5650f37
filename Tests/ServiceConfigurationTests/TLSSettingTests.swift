import Testing

@testable import ServiceConfiguration

/// HTTPS in a configuration file.
@Suite struct TLSSettingTests {
    private static let ways = "expected issuers, api_keys.file, tls.client_ca_file or forward_auth.url"
    private static let one = "{certificate: tls.pem, key: /etc/tls.key, passphrase_file: sub/pass}"

    @Test func `TLS addresses and certificates are read, with paths relative to the file`() throws {
        let document = ConfigurationDocument(
            name: "etc/token-provider.yaml",
            bytes: Array("tls: {listen: [127.0.0.1:8443, unix:s], certificates: [\(Self.one)]}".utf8))
        let tls = try Configuration.read(document, flags: ConfigurationFlags(), environment: withCredentials)
            .configuration()
            .configuration.tls
        #expect(tls.listen == [.ipv4(0x7F00_0001, port: 8443), .unix("etc/s")])
        #expect(
            tls.certificates == [
                Configuration.TLS.Certificate(
                    certificate: "etc/tls.pem", key: "/etc/tls.key", passphrase: "etc/sub/pass")
            ])
    }

    @Test(arguments: [
        (
            "tls: {listen: 127.0.0.1:1}",
            "1:7: tls.listen: https needs a certificate; expected tls.certificates"
        ),
        (
            "tls: {certificates: [{key: k}]}",
            "1:22: tls.certificates[0]: certificate is missing; expected the path of a certificate and its chain (PEM)"
        ),
        (
            "tls: {certificates: [{certificate: c}]}",
            "1:22: tls.certificates[0]: key is missing; expected the path of the certificate's private key (PEM)"
        ),
        (
            "tls: {certificates: [{certificate: c, key: k, keys: k}]}",
            "1:47: tls.certificates[0].keys: unknown key; did you mean \"key\"?"
        ),
        (
            "tls: {certificates: c}",
            "1:7: tls.certificates: is not a list; expected a list of certificates, each with certificate and key"
        ),
        (
            "listen: 127.0.0.1:1\ntls: {listen: 127.0.0.1:1, certificates: [\(one)]}",
            "1:1: listen: \"127.0.0.1:1\" is repeated; expected each address once"
        ),
    ])
    func `an invalid TLS setting is refused at its position`(yaml: String, sentence: String) {
        #expect(refusal(of: yaml, environment: withCredentials) == "token-provider.yaml:\(sentence)")
    }

    @Test(arguments: [
        (
            "tls: {certificates: [\(one)]}",
            [
                "token-provider.yaml:1:7: tls.certificates: the certificates are not used, because no listener has TLS; "
                    + "expected tls.listen"
            ]
        ),
        (
            "listen: [127.0.0.1:1, '[2001:db8::1]:1']\ncallers: none",
            [
                "token-provider.yaml:2:1: callers: \"none\" gives a token to every client that can reach "
                    + "\"[2001:db8::1]:1\"; \(ways)",
                "token-provider.yaml:1:1: listen: plain HTTP on \"[2001:db8::1]:1\": tokens are sent unencrypted; "
                    + "expected tls.listen, or a proxy in front (proxies.trusted)",
            ]
        ),
        (
            "tls: {listen: 0.0.0.0:1, certificates: [\(one)]}\ncallers: none",
            [
                "token-provider.yaml:2:1: callers: \"none\" gives a token to every client that can reach \"0.0.0.0:1\"; "
                    + ways
            ]
        ),
    ])
    func `an allowed but unsafe setting gives a warning`(yaml: String, warnings: [String]) throws {
        #expect(
            try resolve(yaml, environment: yaml.contains("callers") ? onlyCredentials : withCredentials).warnings
                == warnings)
    }

    @Test(arguments: ["trusted", "proxy_protocol"])
    func `plain HTTP behind a proxy still warns about other clients`(setting: String) throws {
        let yaml =
            "listen: [10.0.0.1:1, 127.0.0.1:1]\nlisteners: [{address: 10.0.0.1:2}]\nproxies: {\(setting): 10.0.0.2}"
        #expect(
            try resolve(yaml, environment: withCredentials).warnings.filter { $0.contains("unencrypted") } == [
                "token-provider.yaml:1:1: listen: plain HTTP on \"10.0.0.1:1\", \"10.0.0.1:2\": tokens are sent "
                    + "unencrypted to clients that bypass the proxies; expected an address that only the proxies can reach"
            ])
    }
}
