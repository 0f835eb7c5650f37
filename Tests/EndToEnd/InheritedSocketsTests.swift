import TestSupport
import Foundation
import Testing

/// Sockets that a service manager passes to the real binary.
@Suite(.blocking) struct InheritedSocketsTests {
    let files: TLSFiles
    var scratch: Scratch { files.scratch }

    init() throws { files = try TLSFiles() }

    /// The command that passes named descriptors to a daemon.
    private func passing(_ descriptors: [String]) -> [String] {
        ["python3", PythonClients.path("socket_activation.py")] + descriptors + ["--"]
    }

    private func daemon(
        inheriting descriptors: [String], _ flags: [String] = [], environment: [String: String] = [:]
    ) throws -> DaemonProcess {
        let open = flags.contains("--config") ? [:] : ["TOKEN_PROVIDER_CALLERS": "none"]
        return try DaemonProcess(
            under: passing(descriptors), ["serve", "--credentials", files.key.path] + flags,
            environment: open.merging(environment) { $1 }, scratch: scratch)
    }

    /// A configuration that accepts client certificates of the test authority.
    private func configuration(_ tls: String, _ listening: String) throws -> [String] {
        try files.install("ca.pem")
        let certificate = "{certificate: server.pem, key: server.key}"
        let config = try scratch.write(
            "token-provider.yaml",
            """
            credentials: key.json
            tls: {\(tls)client_ca_file: ca.pem, client_names: [subject], certificates: [\(certificate)]}
            rules: [{name: everyone, kinds: [consumer], ids: {tripID: any}}]
            \(listening)

            """)
        return ["--config", config]
    }

    private func refusal(_ descriptors: [String], _ flags: [String]) throws -> Outcome {
        try Program.run("/usr/bin/env", passing(descriptors) + [Program.daemon, "serve"] + flags)
    }

    @Test func `inherited sockets replace configured addresses and are left in place`() throws {
        let socket = scratch.path("apps.sock")
        let daemon = try daemon(
            inheriting: ["http=127.0.0.1:0", "admin=127.0.0.1:0", "http=unix:\(socket)"], ["--listen", "192.0.2.1:80"],
            environment: DaemonProcess.withAdmin)
        #expect(daemon.said.contains("listening on unix:\(socket)\n"))
        for _ in 0..<8 { #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200) }
        #expect(try Curl("http://localhost/token?tripID=a", ["--unix-socket", socket]).status == 200)
        #expect(try Curl("\(daemon.adminURL())/readyz").status == 200)
        #expect(try daemon.log().contains("reason=\"the service manager passes the socket unix:\(socket)\"\n"))
        #expect(try daemon.end() == 0)
        // The service manager owns the socket's file.
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test func `abstract unix sockets and IPv6 sockets can be inherited`() throws {
        let name = "token-provider-\(UUID().uuidString)"
        let daemon = try daemon(inheriting: ["http=@\(name)", "http=[::1]:0"])
        #expect(daemon.url == "unix:@\(name)")
        #expect(try Curl("http://localhost/healthz", ["--abstract-unix-socket", name]).body == "ok\n")
        #expect(daemon.said.contains("listening on http://[::1]:"))
    }

    @Test func `https uses an inherited socket, and other listeners bind their own`() throws {
        let daemon = try daemon(inheriting: ["https=127.0.0.1:0"], ["--config", files.configuration()])
        #expect(try Curl("\(daemon.secureURL())/healthz", ["-k"]).body == "ok\n")
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
        #expect(daemon.url.hasPrefix("http://"))
        #expect(daemon.said.split(separator: "\n").count == 2)
        let bare = try refusal(["https=127.0.0.1:0"], ["--credentials", files.key.path])
        #expect(bare.status == 78)
        #expect(bare.errors.contains("https needs a certificate; expected tls.certificates"))
    }

    // MARK: Requirements

    /// The status of a request over a unix socket, with a client certificate if named; nil if the connection fails.
    private func ask(_ url: String, at socket: String, as name: String? = nil) throws -> Int? {
        let shown = name.map {
            ["--cert", files.authority.path("\($0).pem"), "--key", files.authority.path("\($0).key")]
        }
        do {
            return try Curl(url, ["--unix-socket", socket, "--cacert", files.authority.path] + (shown ?? [])).status
        } catch is ChildError {
            return nil
        }
    }

    @Test func `an inherited socket follows the listener with its address, whatever its name`() throws {
        try files.authority.issue("client", [TestAuthority.clientUsage])
        let (apps, admin) = (scratch.path("apps"), scratch.path("admin"))
        let listening = """
            listen: []
            listeners:
              - {address: "unix:apps", tls: true, client_certificates: required}
              - {address: "unix:admin", tls: true, client_certificates: required, serves: admin}
            """
        for names in [("http", "admin"), ("depots", "x")] {
            let daemon = try daemon(
                inheriting: ["\(names.0)=unix:\(apps)", "\(names.1)=unix:\(admin)"], configuration("", listening))
            #expect(daemon.announced == "admin on unix:\(admin)\nlistening on unix:\(apps)\n")
            for (path, socket) in [("token?tripID=a", apps), ("readyz", admin)] {
                // A client without TLS gets a 400 and nothing else.
                #expect(try ask("http://localhost/\(path)", at: socket) == 400)
                #expect(try ask("https://localhost/\(path)", at: socket) == nil)
                #expect(try ask("https://localhost/\(path)", at: socket, as: "client") == 200)
            }
            #expect(try daemon.end() == 0)
            for socket in [apps, admin] { try FileManager.default.removeItem(atPath: socket) }
        }
    }

    @Test(arguments: [
        "tls: {listen: 127.0.0.1:0, client_certificates: required, ",
        "tls: {",
    ])
    func `an inherited socket named https follows the TLS configuration`(tls: String) throws {
        try files.authority.issue("client", [TestAuthority.clientUsage])
        let socket = scratch.path("apps")
        let listeners = "listeners: [{address: 127.0.0.1:0, tls: true, client_certificates: required}]"
        let flags = try configuration(
            String(tls.dropFirst("tls: {".count)), "listen: []\n\(tls.contains("required") ? "" : listeners)")
        let daemon = try daemon(inheriting: ["https=unix:\(socket)"], flags)
        #expect(daemon.announced == "listening on unix:\(socket)\n")
        #expect(try ask("https://localhost/healthz", at: socket) == nil)
        #expect(try ask("https://localhost/healthz", at: socket, as: "client") == 200)
    }

    @Test func `an inherited socket without exactly one matching listener is refused`() throws {
        let flags = try configuration(
            "",
            """
            listen: []
            admin: {listen: 127.0.0.1:1}
            listeners:
              - {address: 127.0.0.1:2, tls: true, client_certificates: required, serves: admin}
              - {address: 127.0.0.1:3, tls: true, client_certificates: required}
            """)
        func sentence(_ socket: String) throws -> String {
            let outcome = try Program.run(
                "/usr/bin/env", passing([socket]) + [Program.daemon, "serve"] + flags,
                environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:1"])
            #expect(outcome.status == 78)
            #expect(outcome.output.isEmpty)
            return outcome.errors
        }
        let it = "token-provider: environment LISTEN_FDS: the socket"
        #expect(
            try sentence("admin=@s")
                == "\(it) \"admin\" at \"unix:@s\" could belong to \"127.0.0.1:1\" and \"127.0.0.1:2\", but has the address "
                + "of none; expected the address of one of them (ListenStream= of the socket unit)\n")
        #expect(
            try sentence("http=@s")
                == "\(it) \"http\" at \"unix:@s\" belongs to no listener: there is none of its kind; expected an "
                + "address in listen, or no such socket\n")
        #expect(
            try sentence("token-provider.socket=@s")
                == "\(it) \"token-provider.socket\" at \"unix:@s\" has neither the address of a listener nor the name of "
                + "one; expected one of http, https, admin (FileDescriptorName= of the socket unit)\n")
    }

    // MARK: Unusable descriptors

    @Test(arguments: [
        ("http=pipe", "LISTEN_FDS: descriptor 3 (http) is not a socket; expected a listening stream socket"),
        ("http=closed", "LISTEN_FDS: descriptor 3 (http) is not open; expected a listening stream socket"),
        (
            "admin=datagram",
            "LISTEN_FDS: descriptor 3 (admin) is not a listening stream socket; "
                + "expected one (ListenStream= of a socket unit, without Accept=yes)"
        ),
        (
            "https=idle",
            "LISTEN_FDS: descriptor 3 (https) is not a listening stream socket; "
                + "expected one (ListenStream= of a socket unit, without Accept=yes)"
        ),
    ])
    func `a descriptor that is not a listening socket is refused`(given: String, sentence: String) throws {
        let outcome = try refusal([given], ["--credentials", files.key.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "token-provider: \(sentence)\n")
    }

    @Test func `sockets of another process are ignored`() throws {
        let daemon = try DaemonProcess(
            scratch: scratch, key: files.key,
            environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x"])
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
    }
}
