import CallerAccess
import Foundation
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
        let values = try resolve(yaml, environment: onlyCredentials).configuration
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
        let values = try resolve(yaml, environment: withCredentials).configuration
        #expect(values.allListeners.filter(values.speaksH2C).map(\.address.description) == places)
    }

    @Test(arguments: [
        (
            "listeners: [{tls: true}]",
            "1:13: listeners[0]: address is missing; expected ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "listen: '[::ffff:127.0.0.1]:8080'",
            "1:1: listen: \"[::ffff:127.0.0.1]:8080\" is the IPv4 address 127.0.0.1:8080 written as IPv6; expected ADDR:PORT, "
                + "[IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "listeners: [{address: '[::ffff:a00:1]:1'}]",
            "1:14: listeners[0].address: \"[::ffff:a00:1]:1\" is the IPv4 address 10.0.0.1:1 written as IPv6; expected "
                + "ADDR:PORT, [IPV6]:PORT, localhost:PORT or unix:PATH"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, client_certificates: required}]",
            "1:36: listeners[0].client_certificates: is required, but this listener has no TLS; expected tls: true"
        ),
        (
            "listeners: [{address: 127.0.0.1:1, tls: true, h2c: true}]",
            "1:47: listeners[0].h2c: is HTTP/2 without TLS, but this listener has TLS (with TLS, clients choose HTTP/2 "
                + "themselves); expected tls: false"
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
            "1:1: listeners: https needs a certificate; expected tls.certificates"
        ),
        (
            "listeners: [{address: 127.0.0.1:8080}]",
            "1:1: listeners: \"127.0.0.1:8080\" is repeated; expected each address once"
        ),
        (
            "listeners: [{address: 127.0.0.1:8090}]",
            "1:1: listeners: \"127.0.0.1:8090\" is also an address for apps; expected another address"
        ),
        (
            "listeners: [{address: 127.0.0.1:8090, serves: admin}]",
            "1:1: listeners: \"127.0.0.1:8090\" is repeated; expected each address once"
        ),
        (
            "tls: {listen: 127.0.0.1:1, client_certificates: optional, \(tls)}",
            "1:28: tls.client_certificates: client certificates cannot be verified; expected tls.client_ca_file"
        ),
        (
            "tls: {client_crl_file: crl}",
            "1:7: tls.client_crl_file: client certificates cannot be verified; expected tls.client_ca_file"
        ),
        (
            "http: {unix_socket_mode: \"+660\"}",
            "1:8: http.unix_socket_mode: \"+660\" is not a file mode; expected permissions in octal digits, such as 0660"
        ),
        (
            "http: {unix_socket_mode: \"0888\"}",
            "1:8: http.unix_socket_mode: \"0888\" is not a file mode; expected permissions in octal digits, such as 0660"
        ),
        (
            "rules: [{name: a, kinds: [driver], certificates: [\"dns:a\"], ids: {vehicleID: any}}]",
            "1:36: rules[0].certificates: the rule a names a certificate, but no client certificate can be verified; expected "
                + "tls.client_ca_file"
        ),
        (
            "rules: [{name: a, kinds: [driver], certificates: [a], ids: {vehicleID: any}}]",
            "1:51: rules[0].certificates: \"a\" is not the name of a certificate; expected uri:, dns:, email: or subject: followed "
                + "by the certificate's name"
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
                == "token-provider.yaml:2:36: rules[0].certificates: the rule a names a certificate by its subject, which "
                + "tls.client_names does not list; expected one of uri, dns, email")
    }

    @Test(arguments: [
        ("tls: {client_ca_file: ca}", "tls.client_ca_file: no listener asks clients for a certificate"),
        (
            "listeners: [{address: 10.0.0.1:1}]",
            "listeners: plain HTTP on \"10.0.0.1:1\": tokens are sent unencrypted; expected"
        ),
        (
            "listen: [0.0.0.0:1, '[::]:1', 127.0.0.1:2]\nlisteners: [{address: 10.0.0.1:2}, {address: 'unix:s'}]",
            "listen: plain HTTP on \"0.0.0.0:1\", \"[::]:1\", \"10.0.0.1:2\": tokens are sent unencrypted; expected tls.listen"
        ),
        (
            "listen: []\nlisteners: [{address: 10.0.0.1:1}]",
            "token-provider.yaml:2:1: listeners: plain HTTP on \"10.0.0.1:1\": tokens are sent unencrypted;"
        ),
        (
            "listen: 127.0.0.1:1\nproxies: {trusted: 10.0.0.2}\nlisteners: [{address: 10.0.0.1:1}]",
            "token-provider.yaml:3:1: listeners: plain HTTP on \"10.0.0.1:1\": tokens are sent unencrypted to clients that bypass"
        ),
        (
            "listeners: [{address: 10.0.0.1:1, serves: admin}]",
            "listeners: every client that can reach \"10.0.0.1:1\" sees metrics"
        ),
        (
            "admin: {listen: []}\nlisteners: [{address: 10.0.0.1:1, serves: admin}]",
            "token-provider.yaml:2:1: listeners: every client that can reach \"10.0.0.1:1\" sees metrics"
        ),
        (
            "admin: {listen: 10.0.0.1:1}\nlisteners: [{address: 10.0.0.1:2, serves: admin}]",
            "token-provider.yaml:1:9: admin.listen: every client that can reach \"10.0.0.1:1\", \"10.0.0.1:2\" sees metrics"
        ),
    ])
    func `an allowed but unsafe setting gives a warning`(yaml: String, warning: String) throws {
        let environment = yaml.contains("client_ca_file") ? onlyCredentials : withCredentials
        let warnings = try resolve(yaml, environment: environment).warnings
        #expect(warnings.contains { $0.contains(warning) }, "\(warnings)")
    }

    @Test(arguments: ["listen: ADDRESS", "admin: {listen: ADDRESS}", "listeners: [{address: ADDRESS}]"])
    func `a socket that others can replace gives a warning`(setting: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockets-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let socket = "unix:\(folder)/s"
        let yaml = setting.replacing("ADDRESS", with: "'\(socket)'")
        let key = setting.hasPrefix("admin") ? "admin.listen" : String(setting.prefix { $0 != ":" })
        for (mode, isSafe) in [(0o700, true), (0o755, true), (0o777, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
            let warnings = try resolve(yaml, environment: withCredentials).warnings
            let found = warnings.contains {
                $0.contains(
                    "\(key): \"\(socket)\" is reached through \(folder), where others can replace it and so get "
                        + "what clients send")
            }
            #expect(found != isSafe, "\(warnings)")
        }
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
