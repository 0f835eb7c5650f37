import TestSupport
import Foundation
import Testing

/// Listeners of every kind in the real binary.
@Suite(.blocking) struct ListenerTests {
    let files: TLSFiles

    init() throws { files = try TLSFiles() }

    private func daemon(_ listening: String, environment: [String: String] = [:]) throws -> DaemonProcess {
        let config = try files.scratch.write(
            "token-provider.yaml",
            """
            credentials: key.json
            callers: none
            \(listening)

            """)
        return try DaemonProcess(["serve", "--config", config], environment: environment, scratch: files.scratch)
    }

    private static let certificates = "certificates: [{certificate: server.pem, key: server.key}]"

    @Test func `https may be the only listener`() throws {
        let daemon = try daemon("listen: []\ntls: {listen: 127.0.0.1:0, \(Self.certificates)}")
        #expect(daemon.announced == "listening on \(daemon.url)\n")
        #expect(try files.ask(daemon.secureURL()).status == 200)
    }

    @Test func `IPv4 and IPv6 listen together, IPv4 alone where IPv6 is missing`() throws {
        let both = #"listen: [0.0.0.0:0, "[::]:0"]"#
        let daemon = try daemon(both)
        let urls = daemon.announced.split(separator: "\n").map { $0.trimmingPrefix("listening on ") }
        #expect(urls.count == 2)
        #expect(try Curl("\(urls[0].replacing("0.0.0.0", with: "127.0.0.1"))/healthz").status == 200)
        #expect(try Curl("\(urls[1].replacing("[::]", with: "[::1]"))/healthz").status == 200)
        #expect(try daemon.end() == 0)
        let library = files.scratch.path("without_ipv6.so")
        try Program.mustRun("clang", ["-shared", "-fPIC", "-o", library, PythonClients.path("without_ipv6.c")])
        let other = try self.daemon(both, environment: ["LD_PRELOAD": library])
        #expect(other.announced.hasPrefix("listening on http://0.0.0.0:") && other.said.count { $0 == "\n" } == 1)
        #expect(try other.end() == 0)
    }

    @Test func `listeners combine plain or TLS, apps or admin, address or socket`() throws {
        let socket = files.scratch.path("s")
        let daemon = try daemon(
            """
            listen: []
            http: {unix_socket_mode: "0620"}
            tls: {\(Self.certificates)}
            listeners:
              - {address: 127.0.0.1:0, tls: true}
              - {address: "unix:s"}
              - {address: 127.0.0.1:0}
              - {address: 127.0.0.1:0, tls: true, serves: admin}
              - {address: "unix:a", serves: admin}
            """)
        let lines = daemon.announced.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[0] == "admin on unix:\(files.scratch.path("a"))")
        #expect(lines[2] == "listening on unix:\(socket)")
        let admin = String(lines[1].trimmingPrefix("admin on ")).replacing("127.0.0.1", with: "localhost")
        #expect(try Curl("\(admin)/readyz", ["--cacert", files.authority.path]).status == 200)
        #expect(try files.ask(daemon.secureURL()).status == 200)
        #expect(try Curl("http://localhost/token?tripID=t-1", ["--unix-socket", socket]).status == 200)
        let plain = String(lines[3].trimmingPrefix("listening on "))
        #expect(try Curl("\(plain)/token?tripID=t-1").status == 200)
        // Admin listeners hand out no tokens, and other listeners have no admin paths.
        #expect(try Curl("\(admin)/token?tripID=t-1", ["--cacert", files.authority.path]).status == 404)
        #expect(try Curl("\(plain)/readyz").status == 404)
        for name in ["s", "a"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: files.scratch.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o620)
        }
    }

    @Test func `a TLS listener on a unix socket speaks both HTTP versions`() throws {
        let socket = files.scratch.path("s")
        let daemon = try daemon(
            "listen: []\ntls: {\(Self.certificates)}\nlisteners: [{address: \"unix:s\", tls: true}]")
        #expect(daemon.announced == "listening on unix:\(socket)\n")
        let way = ["--unix-socket", socket, "--cacert", files.authority.path]
        for version in ["1.1", "2"] {
            let answer = try Curl("https://localhost/token?tripID=t-1", way + ["--http\(version)"])
            #expect(answer.status == 200)
            #expect(answer.version == version)
        }
        let plain = try Curl("http://localhost/token?tripID=t-1", way)
        #expect(plain.status == 400)
        #expect(throws: ChildError.self) { try Curl("https://other.test/healthz", way) }
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: [false, true])
    func `cleartext HTTP/2 follows each listener's h2c setting`(all: Bool) throws {
        let daemon = try daemon(
            """
            listen: []
            http2: {prior_knowledge: \(all)}
            listeners:
              - {address: 127.0.0.1:0, h2c: true}
              - {address: 127.0.0.1:0, h2c: false}
              - {address: 127.0.0.1:0}
              - {address: "unix:on", h2c: true}
              - {address: "unix:off", h2c: false}
              - {address: 127.0.0.1:0, serves: admin, h2c: true}
              - {address: 127.0.0.1:0, serves: admin}
            """)
        let places = daemon.said.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
        // Admin listeners are printed first, and speak HTTP/2 only where they say so.
        for (place, isSpoken) in zip(places, [true, false, true, false, all, true, false]) {
            let isSocket = place.hasPrefix("unix:")
            let url = isSocket ? "http://localhost/healthz" : "\(place)/healthz"
            let way = isSocket ? ["--unix-socket", String(place.dropFirst("unix:".count))] : []
            if isSpoken {
                #expect(try Curl(url, way + ["--http2-prior-knowledge"]).version == "2")
            } else {
                #expect(throws: ChildError.self) { try Curl(url, way + ["--http2-prior-knowledge"]) }
            }
            #expect(try Curl(url, way).version == "1.1")
        }
        #expect(places.count == 7)
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: [
        ("", "; expected tls.listen, or a proxy in front (proxies.trusted)"),
        (
            "proxies: {trusted: 127.0.0.1}",
            " to clients that bypass the proxies; expected an address that only the proxies can reach"
        ),
    ])
    func `plain listeners reachable by others cause a warning, even behind proxies`(
        proxies: String, rest: String
    ) throws {
        let daemon = try daemon(
            """
            listen: [127.0.0.1:0, "0.0.0.0:0"]
            listeners: [{address: "[::]:0"}, {address: "unix:s"}]
            \(proxies)
            """)
        let warning = "plain HTTP on \"0.0.0.0:0\", \"[::]:0\": tokens are sent unencrypted\(rest)"
        // In the log it is a field, whose quotation marks are escaped.
        try daemon.waitForLog(warning.replacing("\"", with: "\\\""))
        let checked = try Program.run(
            Program.daemon, ["check", "--json", "--config", files.scratch.path("token-provider.yaml")])
        #expect(try #require(checked.json()["warnings"] as? [String]).contains { $0.contains(warning) })
    }

    // MARK: Certificates that expire

    @Test func `readyz shows a certificate's remaining days and warns when few remain`() throws {
        let usage = ["extendedKeyUsage = serverAuth", "subjectAltName = DNS:localhost"]
        func readiness(_ begin: Int, _ end: Int) throws -> (answer: Curl, log: String, warnings: [String]) {
            try files.authority.issue("server", usage, Validity(from: begin * 86_400, until: end * 86_400 + 600))
            for name in ["server.pem", "server.key"] { try files.install(name) }
            let daemon = try daemon(
                "listen: []\nlisteners: [{address: 127.0.0.1:0, serves: admin}]\ntls: {listen: 127.0.0.1:0, \(Self.certificates)}"
            )
            let checked = try Program.run(
                Program.daemon, ["check", "--json", "--config", files.scratch.path("token-provider.yaml")])
            let warnings = try #require(checked.json()["warnings"] as? [String])
            return (try Curl("\(daemon.adminURL())/readyz"), try daemon.log(), warnings)
        }
        let path = files.scratch.path("server.pem")
        for (begin, end, status, state, warning) in [
            (-10, 80, 200, "ok", nil),
            (-80, 10, 200, "ok", "the certificate expires in 10 days; expected a renewed one"),
            (
                -90, -3, 503, "expired",
                "the certificate expired 2 days ago, so clients will not accept it"
            ),
        ] as [(Int, Int, Int, String, String?)] {
            let (answer, log, warnings) = try readiness(begin, end)
            let json = try answer.json()
            let expected = warning.map { ["\(path): \($0)"] } ?? []
            #expect(answer.status == status)
            #expect(json["certificate_days"] as? Int == (end < 0 ? end + 1 : end))
            #expect(json["warnings"] as? [String] == expected)
            let checks = try #require(json["checks"] as? [String: String])
            #expect(checks["certificates"] == (state == "ok" ? "ok" : expected.first))
            #expect(warnings == expected)
            #expect(expected.allSatisfy(log.contains))
        }
    }
}
