import ChildProcess
import Foundation
import TestCertificates
import Testing

/// Listeners of every kind, by the real binary.
@Suite struct ListenerTests {
    let files: TLSFiles

    init() throws { files = try TLSFiles() }

    private func daemon(_ listening: String) throws -> DaemonProcess {
        let config = try files.scratch.write(
            "token-provider.yaml",
            """
            credentials: key.json
            callers: none
            \(listening)

            """)
        return try DaemonProcess(["serve", "--config", config], scratch: files.scratch)
    }

    private static let certificates = "certificates: [{certificate: server.pem, key: server.key}]"

    @Test func `https may be all that is served`() throws {
        let daemon = try daemon("listen: []\ntls: {listen: 127.0.0.1:0, \(Self.certificates)}")
        #expect(daemon.said == "listening on \(daemon.url)\n")
        #expect(try files.ask(daemon.secureURL()).status == 200)
    }

    @Test func `listeners are plain or by TLS, for apps or operators, by address or by unix socket`() throws {
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
        let lines = daemon.said.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[0] == "admin on unix:\(files.scratch.path("a"))")
        #expect(lines[2] == "listening on unix:\(socket)")
        let admin = String(lines[1].trimmingPrefix("admin on ")).replacing("127.0.0.1", with: "localhost")
        #expect(try Curl("\(admin)/readyz", ["--cacert", files.authority.path]).status == 200)
        #expect(try files.ask(daemon.secureURL()).status == 200)
        #expect(try Curl("http://localhost/token?tripID=t-1", ["--unix-socket", socket]).status == 200)
        let plain = String(lines[3].trimmingPrefix("listening on "))
        #expect(try Curl("\(plain)/token?tripID=t-1").status == 200)
        // Nobody gets a token where operators ask, nor the other way round.
        #expect(try Curl("\(admin)/token?tripID=t-1", ["--cacert", files.authority.path]).status == 404)
        #expect(try Curl("\(plain)/readyz").status == 404)
        for name in ["s", "a"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: files.scratch.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o620)
        }
    }

    @Test func `a plain listener that others can reach is warned of at the start and by check`() throws {
        let daemon = try daemon("listen: []\nlisteners: [{address: 0.0.0.0:0}]")
        let warning = "tokens go in clear to whoever asks at \"0.0.0.0:0\"; expected tls.listen, or a proxy in front"
        try daemon.waitForLog("tokens go in clear to whoever asks at")
        let checked = try Program.run(
            Program.daemon, ["check", "--json", "--config", files.scratch.path("token-provider.yaml")])
        #expect(try #require(checked.json()["warnings"] as? [String]).contains { $0.contains(warning) })
    }

    // MARK: Certificates that end

    @Test func `the days that a certificate has left are in readyz, and few of them are a warning`() throws {
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
            (-80, 10, 200, "ok", "the certificate's validity ends in 10 days; expected a renewed one"),
            (
                -90, -3, 503, "over",
                "the certificate's validity has been over for 2 days, so that clients will not accept it"
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
