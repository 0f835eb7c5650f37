import HTTPServer
import Testing

@testable import ServiceConfiguration

/// Which listeners of the configuration inherited sockets replace.
@Suite struct ListenerTakeoverTests {
    private static let tls = "certificates: [{certificate: c, key: k}], client_ca_file: ca"

    /// `NAME=ADDRESS`, or an address alone for a socket without a name.
    private func take(_ yaml: String, _ sockets: [String]) throws -> [String] {
        let environment = yaml.contains("client_ca_file") ? onlyCredentials : withCredentials
        let values = try resolve(yaml, environment: environment).configuration
        let taken = try ListenerTakeover(
            values,
            sockets.map { text in
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                return ListenerTakeover.Socket(
                    name: parts.count > 1 ? parts[0] : nil, address: try SocketAddress(parts[parts.count - 1]))
            })
        return taken.result.allListeners.map { listener in
            let kind = listener.clients.map { "tls \($0)" } ?? "plain"
            return "\(listener.address) \(kind)\(listener.service == .admin ? " admin" : "")"
        }
    }

    private static let admin = "127.0.0.1:8090 plain admin"

    private func warnings(_ yaml: String, _ sockets: [ListenerTakeover.Socket]) throws -> [String] {
        let document = ConfigurationDocument(name: "a.yaml", bytes: Array(yaml.utf8))
        return try Configuration.read(
            document, flags: ConfigurationFlags(), environment: withCredentials, rules: [], inheriting: sockets
        ).configuration().warnings
    }

    @Test func `a configured address that a socket replaces earns a warning`() throws {
        let http = ListenerTakeover.Socket(name: "http", address: try SocketAddress("127.0.0.1:8080"))
        #expect(
            try warnings("listen: 0.0.0.0:9090", [http]).contains(
                "a.yaml:1:1: listen: 0.0.0.0:9090 has no effect: the service manager passes the socket 127.0.0.1:8080 "
                    + "instead; expected ListenStream=0.0.0.0:9090 in the socket unit"))
        // The socket receives a part of the clients alone.
        #expect(
            try warnings("listen: 0.0.0.0:8080", [http]).contains(
                "a.yaml:1:1: listen: 0.0.0.0:8080 has no effect: the service manager passes the socket 127.0.0.1:8080 "
                    + "instead; expected ListenStream=0.0.0.0:8080 in the socket unit"))
        let two = try warnings("listen: [127.0.0.1:1, 127.0.0.1:2]", [http])
        #expect(two.filter { $0.contains("has no effect") }.count == 2)
        for yaml in ["{}", "listen: 127.0.0.1:8080"] {
            #expect(try !warnings(yaml, [http]).contains { $0.contains("has no effect") })
        }
        let every = ListenerTakeover.Socket(name: "http", address: try SocketAddress("[::]:8080"))
        #expect(try !warnings("listen: 0.0.0.0:8080", [every]).contains { $0.contains("has no effect") })
    }

    @Test(arguments: [
        // A socket's name makes it replace the addresses of one setting, and no others.
        ("{}", ["10.0.0.1:80"], ["10.0.0.1:80 plain", admin]),
        ("{}", ["http=10.0.0.1:80", "http=unix:/a"], ["10.0.0.1:80 plain", "unix:/a plain", admin]),
        ("listen: [127.0.0.1:1, 127.0.0.1:2]", ["http=unix:/a"], ["unix:/a plain", admin]),
        // Where another socket has one of those addresses, both are used, and the other addresses stay.
        (
            "listen: [127.0.0.1:1, 127.0.0.1:2]", ["http=127.0.0.1:1", "http=unix:/a"],
            ["127.0.0.1:1 plain", "unix:/a plain", "127.0.0.1:2 plain", admin]
        ),
        (
            "listen: [127.0.0.1:1, 127.0.0.1:2]", ["http=unix:/a", "127.0.0.1:1"],
            ["unix:/a plain", "127.0.0.1:1 plain", "127.0.0.1:2 plain", admin]
        ),
        ("{}", ["admin=unix:/a"], ["127.0.0.1:8080 plain", "unix:/a plain admin"]),
        ("listeners: [{address: 127.0.0.1:1}]", ["http=unix:/a"], ["unix:/a plain", admin, "127.0.0.1:1 plain"]),
        // The file configures https even without a listener.
        ("tls: {\(tls)}", ["https=unix:/a"], ["127.0.0.1:8080 plain", "unix:/a tls none", admin]),
        (
            "tls: {listen: 10.0.0.1:2, client_certificates: required, \(tls)}", ["https=unix:/a", "https=unix:/b"],
            ["127.0.0.1:8080 plain", "unix:/a tls required", "unix:/b tls required", admin]
        ),
        // The only listener of its kind is replaced.
        (
            "listen: []\ntls: {\(tls)}\nlisteners: [{address: 10.0.0.1:2, tls: true, client_certificates: required}]",
            ["https=unix:/a"], [admin, "unix:/a tls required"]
        ),
        (
            "admin: {listen: []}\ntls: {\(tls)}\n"
                + "listeners: [{address: 10.0.0.1:2, tls: true, client_certificates: required, serves: admin}]",
            ["admin=unix:/a"], ["127.0.0.1:8080 plain", "unix:/a tls required admin"]
        ),
    ])
    func `a socket at a new address replaces the listeners of its name`(
        yaml: String, sockets: [String], listeners: [String]
    ) throws {
        #expect(try take(yaml, sockets) == listeners)
    }

    private static let several = """
        listen: 10.0.0.1:80
        admin: {listen: []}
        tls: {listen: [0.0.0.0:443, "[::]:443"], \(tls)}
        listeners:
          - {address: 10.0.0.1:444, tls: true, client_certificates: required}
          - {address: "unix:/a", tls: true, client_certificates: optional, serves: admin}
        """

    private static let ofSeveral = [
        "10.0.0.1:80 plain", "0.0.0.0:443 tls none", "[::]:443 tls none", "10.0.0.1:444 tls required",
        "unix:/a tls optional admin",
    ]

    @Test(
        arguments: [
            ([], [:]),
            (["depots=10.0.0.1:444"], [:]),
            // A listener may require more than the socket's name says.
            (["http=10.0.0.1:444", "unix:/a"], [:]),
            (["http=0.0.0.0:443"], [:]),
            // One socket for both families, one for each, and one for IPv4 alone.
            (["https=[::]:443"], ["0.0.0.0:443 tls none": nil]),
            (["https=[::]:443", "https=0.0.0.0:443"], [:]),
            (["http=10.0.0.1:443"], ["0.0.0.0:443 tls none": "10.0.0.1:443 tls none"]),
            // A socket that is bound to all addresses is bound to this one too.
            (["x=[::]:444"], ["10.0.0.1:444 tls required": "[::]:444 tls required"]),
            (["http=0.0.0.0:80"], ["10.0.0.1:80 plain": "0.0.0.0:80 plain"]),
        ] as [([String], [String: String?])])
    func `a socket at a listener's address is that listener, whatever its name`(
        sockets: [String], changes: [String: String?]
    ) throws {
        let expected = Self.ofSeveral.compactMap { changes[$0] ?? $0 }
        #expect(try take(Self.several, sockets) == expected)
    }

    @Test(arguments: [
        // TLS, or a certificate, would be lost.
        ("http=unix:/b", "belongs to no listener: there is none of its kind; expected an address in listen"),
        ("https=unix:/b", "could belong to \"10.0.0.1:443\" and \"10.0.0.1:444\" and \"10.0.0.1:1\" and"),
        (
            "admin=unix:/b",
            "could belong to \"127.0.0.1:8090\" and \"unix:/a\" and \"10.0.0.2:80\", but has the address"
        ),
        (
            "[::]:1",
            "belongs to \"10.0.0.1:1\" and \"10.0.0.2:1\", which have different settings; expected a socket for each"
        ),
        (
            "https=10.0.0.2:80",
            "has the address of a listener (\"10.0.0.2:80\") that is for operators, without TLS; exp"
        ),
        ("admin=10.0.0.1:444", "has the address of a listener (\"10.0.0.1:444\") that is for apps; expected another"),
        ("http=unix:/a", "has the address of a listener (\"unix:/a\") that is for operators; expected another name"),
        ("x=unix:/b", "has neither the address of a listener nor the name of one; expected one of http, https, admin"),
    ])
    func `an ambiguous or less protected socket is refused`(socket: String, sentence: String) throws {
        let yaml = """
            listen: []
            tls: {listen: 10.0.0.1:443, \(Self.tls)}
            listeners:
              - {address: 10.0.0.1:444, tls: true, client_certificates: required}
              - {address: "unix:/a", tls: true, client_certificates: required, serves: admin}
              - {address: 10.0.0.2:80, serves: admin}
              - {address: 10.0.0.1:1, tls: true}
              - {address: 10.0.0.2:1, tls: true, client_certificates: required}
            """
        let error = try #require(throws: ListenerTakeoverError.self) { try take(yaml, [socket]) }
        let problem = error.problem.description
        #expect(problem.hasPrefix("environment LISTEN_FDS: the socket "))
        #expect(problem.contains(sentence), "\(problem)")
    }

    @Test func `a socket named https cannot replace a plain listener`() {
        #expect(throws: ListenerTakeoverError.self) { try take("listen: 10.0.0.1:80", ["https=10.0.0.1:80"]) }
    }

    @Test func `a socket name that matches several listeners is refused`() {
        let yaml = "listen: []\nlisteners: [{address: 10.0.0.1:80}, {address: 10.0.0.1:81}]"
        #expect(throws: ListenerTakeoverError.self) { try take(yaml, ["http=unix:/a"]) }
        #expect(throws: Never.self) { try take(yaml, ["http=10.0.0.1:81"]) }
    }
}
