import TestSupport
import Foundation
import Testing

/// Tokens that Google signs over TLS, with nginx in front of a Google on loopback.
@Suite(.blocking, .tags(.threadSanitizer)) struct KeylessHTTP2Tests {
    private let scratch: Scratch
    private let google: LoopbackGoogle
    private let authority: TestAuthority
    private let port: Int

    init() throws {
        scratch = try Scratch()
        google = try LoopbackGoogle(in: scratch)
        authority = try TestAuthority().certify("server")
        port = try DocumentedProxyTests.freePort()
    }

    private var log: String { (try? String(contentsOfFile: scratch.path("access.log"), encoding: .utf8)) ?? "" }

    /// nginx, once it answers.
    private func front(_ protocols: String) throws -> Child {
        let own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let configuration = try scratch.write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid \(scratch.path("nginx.pid"));
            events {}
            http {
            log_format protocols '$server_protocol $request_method $uri';
            access_log \(scratch.path("access.log")) protocols;
            \(own.map { "\($0)_temp_path \(scratch.path($0));" }.joined(separator: "\n"))
            server {
                listen 127.0.0.1:\(port) ssl \(protocols);
                ssl_certificate \(authority.path("server.pem"));
                ssl_certificate_key \(authority.path("server.key"));
                location / { proxy_pass \(google.url); }
            }
            }

            """)
        let errors = scratch.path("nginx.log")
        let proxy = try Child(
            DocumentedProxyTests.administrative + ["nginx", "-e", errors, "-c", configuration], errors: .file(errors))
        try Patience.wait(for: "an answer of nginx") {
            (try? Curl("https://localhost:\(port)/_requests", ["--cacert", authority.path]).status) == 200
        }
        return proxy
    }

    private func daemon() throws -> DaemonProcess {
        let config = try scratch.write(
            "token-provider.yaml",
            """
            callers: none
            credentials: \(try #require(google.files["authorized_user"]))
            sign_as: \(KeylessTests.driver)
            outgoing: {ca_file: \(authority.path)}
            \(google.settings.replacing("iam_credentials: \(google.url)", with: "iam_credentials: https://localhost:\(port)"))
            """)
        return try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:0", "--config", config],
            environment: ["GOOGLE_APPLICATION_CREDENTIALS": ""].merging(DaemonProcess.withAdmin) { $1 },
            scratch: scratch)
    }

    private func status(_ daemon: DaemonProcess, _ vehicle: String) throws -> Int {
        try Curl("\(daemon.url)/token?vehicleID=\(vehicle)").status
    }

    @Test(arguments: [("http2", "HTTP/2.0"), ("", "HTTP/1.1")])
    func `signatures come by the protocol that the server chooses`(protocols: String, chosen: String) throws {
        let proxy = try front(protocols)
        defer { proxy.end() }
        let daemon = try daemon()
        for vehicle in ["v-1", "v-2"] { #expect(try status(daemon, vehicle) == 200) }
        try Patience.wait(for: "both calls in the log") {
            log.split(separator: "\n").filter { $0.hasPrefix("\(chosen) POST ") && $0.hasSuffix(":signJwt") }.count == 2
        }
    }

    @Test func `a server that comes back is used again`() throws {
        let proxy = try front("http2")
        let daemon = try daemon()
        #expect(try status(daemon, "v-1") == 200)
        proxy.end()
        #expect(try status(daemon, "v-2") == 503)
        let again = try front("http2")
        defer { again.end() }
        #expect(try status(daemon, "v-3") == 200)
    }

    @Test func `a server without the right certificate signs nothing`() throws {
        let proxy = try front("http2")
        defer { proxy.end() }
        try Data(TestAuthority().bytes("ca.pem")).write(to: URL(filePath: authority.path))
        let daemon = try daemon()
        #expect(try status(daemon, "v-1") == 503)
        #expect(try google.requests("signJwt") == 0)
    }
}
