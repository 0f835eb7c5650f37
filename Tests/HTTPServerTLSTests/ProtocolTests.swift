import TestSupport
import Foundation
import Testing

/// What is negotiated with real clients, and what is refused.
struct ProtocolTests {
    private let server: TLSTestServer

    init() throws { server = try TLSTestServer() }

    @Test(arguments: [
        ("-tls1_3", "TLS_AES_128_GCM_SHA256"), ("-tls1_2", "ECDHE-ECDSA-AES128-GCM-SHA256"),
    ])
    func `TLS 1.3 and 1.2 negotiate the server's preferred cipher suite`(version: String, suite: String) throws {
        let outcome = try server.connect([version, "-servername", "localhost", "-verify_return_error"])
        #expect(outcome.output.contains("Cipher is \(suite)"))
        #expect(outcome.output.contains("Verify return code: 0 (ok)"))
        #expect(outcome.output.contains("HTTP/1.1 200 OK"))
        #expect(outcome.output.contains("Compression: NONE"))
    }

    @Test(arguments: [
        ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
        ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"], ["-tls1_2", "-cipher", "AECDH-AES128-SHA:@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-CCM"], ["-tls1_3", "-groups", "secp521r1"],
    ])
    func `old versions and suites without AEAD or forward secrecy are refused`(arguments: [String]) throws {
        let outcome = try server.connect(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("alert"))
        #expect(!outcome.output.contains("HTTP/1.1"))
    }

    @Test func `curl is served over HTTP/1.1`() throws {
        let outcome = try Child.run([
            "curl", "-sS", "-v", "--http1.1", "--cacert", server.authority.path, "--resolve",
            "localhost:\(server.port):127.0.0.1", "https://localhost:\(server.port)/now",
        ])
        #expect(outcome.output == "/now")
        #expect(outcome.errors.contains("server accepted http/1.1"))
    }

    @Test(arguments: [
        ("http/1.1", "ALPN protocol: http/1.1", 0), ("h2,http/1.1", "ALPN protocol: http/1.1", 0),
        ("http/1.1,h2", "ALPN protocol: http/1.1", 0), ("h2", "no application protocol", 1),
        ("http/1.0,spdy/3", "ALPN protocol: http/1.0", 0), ("http/1.0,http/1.1", "ALPN protocol: http/1.1", 0),
        ("spdy/3", "no application protocol", 1),
    ])
    func `only HTTP/1 is chosen from a client's ALPN offers, 1.1 first`(
        offered: String, expected: String, status: Int32
    ) throws {
        let outcome = try server.connect(["-alpn", offered])
        #expect(outcome.status == status)
        #expect((outcome.output + outcome.errors).contains(expected))
    }

    @Test func `renegotiation in TLS 1.2 is refused`() throws {
        // A line with only R makes s_client renegotiate.
        let outcome = try Child.run(
            ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2"], input: "R\n")
        #expect(outcome.errors.contains("no renegotiation"))
        #expect(outcome.output.contains("Secure Renegotiation IS supported"))
    }

    @Test func `early data is not accepted`() throws {
        let session = server.authority.path("session")
        #expect(try server.connect(["-tls1_3", "-sess_out", session]).output.contains("Max Early Data: 0"))
        let outcome = try server.connect(
            ["-tls1_3", "-sess_in", session, "-early_data", server.authority.path("server.conf")])
        #expect(outcome.output.contains("Early data was not sent"))
        #expect(outcome.output.contains("Reused, TLSv1.3"))
    }

    @Test func `early data is skipped, even much of it`() throws {
        let (early, session) = (server.authority.path("early"), server.authority.path("session"))
        try Data(repeating: UInt8(ascii: "x"), count: 60_000).write(to: URL(filePath: early))
        _ = try server.connect(["-tls1_3", "-sess_out", session])
        // As if the ticket were of another server of the name, which takes early data.
        try Self.allowEarlyData(inSession: session)
        let outcome = try server.connect(["-tls1_3", "-sess_in", session, "-early_data", early])
        #expect(outcome.output.contains("Early data was rejected"))
        #expect(outcome.output.contains("HTTP/1.1 200 OK"))
    }

    /// Adds `max_early_data` of 64 KiB to a session as OpenSSL writes it: element 15 of a sequence.
    private static func allowEarlyData(inSession path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let der = Array(try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined())))
        var (place, end) = (4, 4)
        while place < der.count, der[place] < 0xAF {
            let count = Int(der[place + 1])
            let length = (0..<max(0, count - 0x80)).reduce(0) { $0 << 8 | Int(der[place + 2 + $1]) }
            place += 2 + (count < 0x80 ? count : count - 0x80 + length)
            end = place
        }
        let content = der[4..<end] + [0xAF, 5, 2, 3, 1, 0, 0] + der[end...]
        let whole = [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        let body = Data(whole).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        try Data("\(lines[0])\n\(body)\n\(lines[lines.count - 1])\n".utf8).write(to: URL(filePath: path))
    }

    @Test func `each resumption in TLS 1.3 brings a new ticket`() throws {
        let sessions = (0...3).map { server.authority.path("session-\($0)") }
        #expect(try server.connect(["-tls1_3", "-sess_out", sessions[0]]).output.contains("New, TLSv1.3"))
        for (used, next) in zip(sessions, sessions.dropFirst()) {
            let outcome = try server.connect(["-tls1_3", "-sess_in", used, "-sess_out", next])
            #expect(outcome.output.contains("Reused, TLSv1.3"))
            #expect(outcome.output.contains("Post-Handshake New Session Ticket arrived"))
            #expect(try Data(contentsOf: URL(filePath: next)) != Data(contentsOf: URL(filePath: used)))
        }
    }

    @Test(arguments: ["1.2", "1.3"])
    func `a client resumes by a ticket, then by the next ticket`(version: String) throws {
        #expect(try server.run("resume", version) == "False True True")
    }

    @Test(arguments: [
        "GET / HTTP/1.1", "HEAD / HTTP/1.1", "POST / HTTP/1.1", "PUT / HTTP/1.1", "DELETE / HTTP/1.1",
        "PATCH / HTTP/1.1", "OPTIONS * HTTP/1.1", "TRACE / HTTP/1.1", "CONNECT localhost:443 HTTP/1.1",
        "PRI * HTTP/2.0", "a ", "UPDATEREDIRECTREF / HTTP/1.1",
        "!#$%&'*+-.^_`|~09 ", String(repeating: "x", count: 31) + " ",
    ])
    func `a plain HTTP request of any method gets 400 plain_request`(line: String) throws {
        let answer = try server.run("plain", line)
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.hasSuffix("plain_request") == !line.hasPrefix("HEAD "))
        #expect(answer.contains("Connection: close\r\n"))
        #expect(server.notices.isEmpty)
    }
}
