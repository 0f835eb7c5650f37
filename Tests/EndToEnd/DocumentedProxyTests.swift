import TestSupport
import Foundation
import Testing

/// The daemon behind real proxies, with the configurations of Deployment.md.
@Suite(.blocking) struct DocumentedProxyTests {
    private let files: CallerFiles
    private let authority: TestAuthority

    init() throws {
        files = try CallerFiles()
        authority = try TestAuthority().certify("server")
        try files.scratch.write("tokens.pem", authority.text("server.pem") + authority.text("server.key"))
        try files.scratch.write("tokens.key", authority.text("server.key"))
    }

    @Test func `behind nginx, clients keep their addresses and ids their replicas`() throws {
        let daemons = try daemons(settingsUnder: "nginx")
        let servers = daemons.map { "server 127.0.0.1:\($0.port);" }.joined(separator: "\n")
        let port = try Self.freePort()
        let block = try DocumentedBlock.first("nginx", under: "nginx", of: "Deployment").text
            .replacing("server 127.0.0.1:8080;", with: servers).replacing("443 ssl", with: "127.0.0.1:\(port) ssl")
            .replacing("/etc/nginx", with: files.scratch.folder.path)
        let proxy = try nginx("access_log off;\n\(block)")
        defer { proxy.end() }
        try expectAddresses(throughPort: port)
    }

    @Test func `behind HAProxy, clients keep their addresses and ids their replicas`() throws {
        let daemons = try daemons(settingsUnder: "HAProxy")
        let servers = daemons.enumerated().map {
            "    server s\($0.offset) 127.0.0.1:\($0.element.port) check send-proxy-v2"
        }
        let port = try Self.freePort()
        let block = try DocumentedBlock.first("haproxy", under: "HAProxy", of: "Deployment").text
            .replacing("    server a 127.0.0.1:8080 check send-proxy-v2", with: servers.joined(separator: "\n"))
            .replacing("bind :443", with: "bind 127.0.0.1:\(port)")
            .replacing("/etc/haproxy", with: files.scratch.folder.path)
        let configuration = try files.scratch.write("haproxy.cfg", block)
        let proxy = try Child(
            Self.administrative + ["haproxy", "-db", "-f", configuration],
            errors: .file(files.scratch.path("haproxy.log")))
        defer { proxy.end() }
        try expectAddresses(throughPort: port)
    }

    @Test func `behind Envoy, clients keep their addresses and ids their replicas`() throws {
        let endpoint = "              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 8080}}}"
        let daemons = try daemons(settings: "proxies: {trusted: [127.0.0.1]}")
        let port = try Self.freePort()
        let file = DocumentedBlock.repository.appending(path: "config/proxies/envoy.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("`proxies: {trusted: [127.0.0.1]}`") && text.contains(endpoint))
        let configuration = try files.scratch.write(
            "envoy.yaml",
            text.replacing(
                endpoint,
                with: daemons.map { endpoint.replacing("8080", with: $0.port) }.joined(separator: "\n")
            ).replacing("address: 0.0.0.0, port_value: 443", with: "address: 127.0.0.1, port_value: \(port)")
                .replacing("/etc/envoy", with: files.scratch.folder.path))
        let proxy = try Child(
            [
                PythonClients.documentationTool("envoy"), "--disable-hot-restart", "--concurrency", "1", "-c",
                configuration,
            ],
            errors: .file(files.scratch.path("envoy.log")))
        defer { proxy.end() }
        try expectAddresses(throughPort: port)
    }

    // MARK: -

    /// nginx asks for passwords by itself: a service that answers by its status, and with a page.
    @Test func `nginx decides about tokens by its users' passwords`() throws {
        let scratch = files.scratch.folder.path
        let port = try Self.freePort()
        try files.scratch.write(
            "passwords", "rider:\(Program.mustRun("openssl", ["passwd", "-apr1", "secret"]))", permissions: 0o644)
        try files.scratch.write("verify", "<html>", permissions: 0o644)
        let nginx = try nginx(
            """
            log_format asked '$request_method $http_x_forwarded_method $http_x_forwarded_uri '
              '$http_x_forwarded_proto://$http_x_forwarded_host $status';
            access_log \(scratch)/asked asked;
            default_type text/html;
            server {
              listen 127.0.0.1:\(port);
              root \(scratch);
              location = /verify { auth_basic fleet; auth_basic_user_file passwords; }
              location = /login { return 302 https://login.example.com/; }
            }

            """)
        defer { nginx.end() }
        let service = "http://127.0.0.1:\(port)/verify"
        try Patience.wait(for: "nginx") { (try? Curl(service).status) == 401 }
        let block = try DocumentedBlock.first("yaml", under: "oauth2-proxy", of: "ForwardAuth").text
            .replacing("http://127.0.0.1:4180/oauth2/auth?allowed_groups=dispatchers", with: service)
        func daemon(_ block: String, _ proxies: String = "") throws -> DaemonProcess {
            let path = try files.scratch.write(
                "token-provider.yaml", "listen: 127.0.0.1:0\ncredentials: \(files.key.path)\n\(block)\n\(proxies)")
            return try DaemonProcess(["serve", "--config", path], scratch: files.scratch)
        }
        let first = try daemon(block)
        let said = [
            "-u", "rider:secret", "-H", "X-Forwarded-Proto: https", "-H", "X-Forwarded-Host: tokens.example.com",
        ]
        #expect(try Curl("\(first.url)/token?tripID=a%20b", said).status == 200)
        #expect(try Curl("\(first.url)/token?tripID=a%20b", ["-u", "rider:other"]).status == 401)
        #expect(try Curl("\(first.url)/token?tripID=a%20b").status == 401)
        // Behind a trusted proxy it counts what the proxy says.
        let second = try daemon(block, "proxies: {trusted: [127.0.0.1]}")
        #expect(try Curl("\(second.url)/token?tripID=a%20b", said).status == 200)
        #expect(try Curl("\(second.url)/token?tripID=a%20b", ["-u", "rider:secret"]).status == 200)
        let urls = [first.url, first.url, first.url, "https://tokens.example.com", second.url]
        let expected = zip(urls, ["200", "401", "401", "200", "200"])
            .map { "GET GET /token/consumer?tripID=a%20b \($0) \($1)\n" }.joined()
        // It writes a line after the answer.
        try Patience.wait(for: "its log") {
            try String(contentsOfFile: files.scratch.path("asked"), encoding: .utf8).hasSuffix(expected)
        }
        let third = try daemon(block.replacing("/verify", with: "/login"))
        #expect(try Curl("\(third.url)/token?tripID=a%20b").status == 401)
        let byJSON = try daemon(
            block.replacing("/verify", with: "/login").replacing("body: ignore", with: "body: json"))
        #expect(try Curl("\(byJSON.url)/token?tripID=a%20b").status == 503)
    }

    /// nginx with these directives of `http`, its files in the scratch folder.
    private func nginx(_ directives: String) throws -> Child {
        let scratch = files.scratch.folder.path
        let own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(scratch)/\($0);" }
        let configuration = try files.scratch.write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid \(scratch)/nginx.pid;
            events {}
            http {
            \(own.joined(separator: "\n"))
            \(directives)}

            """)
        return try Child(
            Self.administrative + ["nginx", "-e", files.scratch.path("nginx.log"), "-c", configuration],
            errors: .file(files.scratch.path("nginx.log")))
    }

    /// Finds the proxies, which are not in the path of ordinary users.
    static let administrative = [
        "env", "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? ""):/usr/sbin",
    ]

    /// A port that no program listens on, for a proxy that does not say which one it has chosen. It is below those that the
    /// system chooses, one of which may be another program's by the time the proxy listens.
    static func freePort() throws -> Int {
        try #require(try Int(Program.mustRun("python3", [PythonClients.path("free_port.py")]).dropLast()))
    }

    /// Two daemons with the proxy settings of the section.
    private func daemons(settingsUnder section: String) throws -> [DaemonProcess] {
        try daemons(settings: DocumentedBlock.first("yaml", under: section, of: "Deployment").text)
    }

    private func daemons(settings: String) throws -> [DaemonProcess] {
        try (1...2).map { number in
            let rules = "rules: [{name: all, kinds: [consumer], ids: {tripID: any}}]"
            let audit = "audit: {output: file, file: audit-\(number)}"
            return try files.daemon("\(settings)\n\(rules)\n\(audit)")
        }
    }

    /// Asks from two addresses, which also claim to be others.
    private func expectAddresses(throughPort port: Int) throws {
        let key = try files.token()
        func ask(_ trip: String, from address: String) throws -> Int {
            try Curl(
                "https://localhost:\(port)/token?tripID=\(trip)",
                [
                    "--cacert", authority.path, "--resolve", "localhost:\(port):127.0.0.1", "--interface", address,
                    "-H", "Authorization: Bearer \(key)", "-H", "X-Forwarded-For: 203.0.113.9",
                ]
            ).status
        }
        try Patience.wait(for: "an answer through the proxy") {
            (try? ask("trip-0", from: "127.0.0.2")) == 200
        }
        // An odd number, so that taking turns between two replicas sends an id to both.
        let trips = (1...7).map { "trip-\($0)" }
        for address in ["127.0.0.2", "127.0.0.3"] {
            for trip in trips { #expect(try ask(trip, from: address) == 200) }
        }
        let records = try ["audit-1", "audit-2"].map { try files.auditRecords($0).filter { $0["peer"] != nil } }
        #expect(Set(records.flatMap { $0 }.compactMap { $0["peer"] as? String }) == ["127.0.0.2", "127.0.0.3"])
        // Each id was signed once: its second request reached the replica that had the token.
        let minted = records.flatMap { $0 }.filter { $0["outcome"] as? String == "minted" }
        #expect(minted.count == trips.count + 1)
    }
}

extension TestAuthority {
    fileprivate func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
}
