import CallerAccess
import Testing

@testable import ServiceConfiguration

/// Listeners and clients' certificates in a configuration file.
@Suite struct ListenerSettingTests {
    private static let tls = "certificates: [{certificate: c, key: k}]"

    @Test func `listeners of all settings are combined, plain ones first`() throws {
        let yaml = """
            listen: 127.0.0.1:1
            tls: {listen: 127.0.0.1:2, client_certificates: optional, client_ca_file: ca, \(Self.tls)}
            listeners:
              - {address: 127.0.0.1:3, tls: true, client_certificates: required}
              - {address: 127.0.0.1:4}
              - {address: "unix:s", serves: admin}
            """
        let values = try resolve(yaml, environment: onlyCredentials).configuration.values
        #expect(
            values.listeners(serving: .public).map(\.url) == [
                "http://127.0.0.1:1", "http://127.0.0.1:4", "https://127.0.0.1:2", "https://127.0.0.1:3",
            ])
        #expect(values.listeners(serving: .public).map(\.clients) == [nil, nil, .optional, .required])
        #expect(values.listeners(serving: .admin).map(\.url) == ["http://127.0.0.1:8090", "unix:s"])
    }

    @Test(arguments: [(false, ["127.0.0.1:5", "unix:b"]), (true, ["127.0.0.1:1", "127.0.0.1:5", "unix:a", "unix:b"])])
    func `cleartext HTTP 2 is enabled per listener or for all public ones`(all: Bool, places: [String]) throws {
        let yaml = """
            listen: 127.0.0.1:1
            tls: {listen: 127.0.0.1:2, \(Self.tls)}
            http2: {prior_knowledge: \(all)}
            listeners:
              - {address: 127.0.0.1:3, tls: true, h2c: false}
              - {address: 127.0.0.1:4, h2c: false}
              - {address: 127.0.0.1:5, h2c: true}
              - {address: "unix:a"}
              - {address: "unix:b", serves: admin, h2c: true}
            """
        let values = try resolve(yaml, environment: withCredentials).configuration.values
        #expect(values.allListeners.filter(values.speaksH2C).map(\.address.description) == places)
    }

    @Test(arguments: [
        (
            "listeners: [{tls: true}]",
            "1:13: listeners[0]: has no address; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "listen: '[::ffff:127.0.0.1]:8080'",
            "1:1: listen: \"[::ffff:127.0.0.1]:8080\" is the IPv4 address 127.0.0.1:8080 in IPv6's form; expected ADDR:PORT, "
                + "[IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "listeners: [{address: '[::ffff:a00:1]:1'}]",
            "1:14: listeners[0].address: \"[::ffff:a00:1]:1\" is the IPv4 address 10.0.0.1:1 in IPv6's form; expected "
                + "ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, client_certificates: required}]",
            "1:36: listeners[0].client_certificates: is required where no TLS is spoken; expected tls: true too"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, tls: true, h2c: true}]",
            "1:47: listeners[0].h2c: is HTTP/2 without TLS, and this listener has TLS, by which clients choose HTTP/2 "
                + "themselves; expected tls: false"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, h2c: 2}]",
            "1:36: listeners[0].h2c: \"2\" is not a boolean; expected true or false"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, serves: apps}]",
            "1:36: listeners[0].serves: \"apps\" is unknown; expected one of public, admin"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, tls: true}]",
            "1:1: listeners: there is no certificate to serve https by; expected tls.certificates"
        ),
        (
            "listeners: [{address: 127.0.0.1:8080}]",
            "1:1: listeners: \"127.0.0.1:8080\" is given twice; expected every address once"
        ),
        (
            "listeners: [{address: 127.0.0.1:8090}]",
            "1:1: listeners: \"127.0.0.1:8090\" is where apps ask too; expected an address of its own"
        ),
        (
            "listeners: [{address: 127.0.0.1:8090, serves: admin}]",
            "1:1: listeners: \"127.0.0.1:8090\" is given twice; expected every address once"
        ),
        (
            "tls: {listen: 127.0.0.1:1, client_certificates: optional, \(tls)}",
            "1:28: tls.client_certificates: there is nobody to verify clients' certificates by; expected tls.client_ca_file"
        ),
        (
            "tls: {client_crl_file: crl}",
            "1:7: tls.client_crl_file: there is nobody to verify clients' certificates by; expected tls.client_ca_file"
        ),
        (
            "http: {unix_socket_mode: \"0888\"}",
            "1:8: http.unix_socket_mode: \"0888\" is none; expected permissions in octal digits, as 0660"
        ),
        (
            "rules: [{name: a, kinds: [driver], certificates: [\"dns:a\"], ids: {vehicleID: any}}]",
            "1:1: rules: the rule a is for a certificate, and nobody verifies those; expected tls.client_ca_file"
        ),
        (
            "rules: [{name: a, kinds: [driver], certificates: [a], ids: {vehicleID: any}}]",
            "1:51: rules[0].certificates: \"a\" is none; expected uri:, dns:, email: or subject: and a certificate's name"
        ),
    ])
    func `an invalid listener setting is refused at its position`(yaml: String, sentence: String) {
        #expect(refusal(of: yaml, environment: withCredentials) == "token-provider.yaml:\(sentence)")
    }

    @Test func `a rule for an unconfigured type of certificate name is refused`() throws {
        let yaml = """
            tls: {listen: 127.0.0.1:1, client_certificates: optional, client_ca_file: ca, \(Self.tls)}
            rules: [{name: a, kinds: [driver], certificates: ["subject:CN=a"], ids: {vehicleID: any}}]
            """
        #expect(
            refusal(of: yaml, environment: onlyCredentials)
                == "token-provider.yaml:2:1: rules: the rule a is for a certificate's subject, which is none of "
                + "tls.client_names")
    }

    @Test(arguments: [
        ("tls: {client_ca_file: ca}", "tls.client_ca_file: no listener asks clients for a certificate"),
        ("listeners: [{address: 10.0.0.1:1}]", "listeners: tokens go in clear to whoever asks at \"10.0.0.1:1\";"),
        (
            "listen: [0.0.0.0:1, '[::]:1', 127.0.0.1:2]\nlisteners: [{address: 10.0.0.1:2}, {address: 'unix:s'}]",
            "listen: tokens go in clear to whoever asks at \"0.0.0.0:1\", \"[::]:1\", \"10.0.0.1:2\"; expected tls.listen"
        ),
        (
            "listen: []\nlisteners: [{address: 10.0.0.1:1}]",
            "token-provider.yaml:2:1: listeners: tokens go in clear to whoever asks at \"10.0.0.1:1\";"
        ),
        (
            "listen: 127.0.0.1:1\nproxies: {trusted: 10.0.0.2}\nlisteners: [{address: 10.0.0.1:1}]",
            "token-provider.yaml:3:1: listeners: tokens go in clear to whoever asks at \"10.0.0.1:1\" past the proxies"
        ),
        (
            "listeners: [{address: 10.0.0.1:1, serves: admin}]",
            "listeners: everyone who can reach \"10.0.0.1:1\" is told"
        ),
        (
            "admin: {listen: []}\nlisteners: [{address: 10.0.0.1:1, serves: admin}]",
            "token-provider.yaml:2:1: listeners: everyone who can reach \"10.0.0.1:1\" is told"
        ),
        (
            "admin: {listen: 10.0.0.1:1}\nlisteners: [{address: 10.0.0.1:2, serves: admin}]",
            "token-provider.yaml:1:9: admin.listen: everyone who can reach \"10.0.0.1:1\", \"10.0.0.1:2\" is told"
        ),
    ])
    func `an allowed but unsafe setting gives a warning`(yaml: String, warning: String) throws {
        let environment = yaml.contains("client_ca_file") ? onlyCredentials : withCredentials
        let warnings = try resolve(yaml, environment: environment).warnings
        #expect(warnings.contains { $0.contains(warning) }, "\(warnings)")
    }

    @Test(arguments: [
        ("uri:spiffe://a/b", "uri:spiffe://a/b"), ("dns:A.Example", "dns:a.example"), ("email:A@b", "email:A@b"),
        ("subject:CN=a, b", "subject:CN=a, b"), ("uri:", nil), ("spiffe://a", nil), ("", nil), ("dns:a\u{0}", nil),
        ("URI:a", nil), ("dns:\u{E9}", nil),
    ])
    func `a certificate name has one known type and visible characters`(text: String, name: String?) {
        #expect(CertificateName(text)?.description == name)
        #expect(CertificateName(.uri, [UInt8](repeating: 0x61, count: 513)) == nil)
    }
}
