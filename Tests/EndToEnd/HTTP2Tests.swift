import TestSupport
import Foundation
import Testing

/// HTTP/2 between the real binary and real clients.
@Suite(.blocking, .tags(.addressSanitizer)) struct HTTP2Tests {
    let files: TLSFiles

    init() throws { files = try TLSFiles() }

    /// A daemon that speaks HTTP/2 in cleartext too.
    private func openDaemon() throws -> DaemonProcess {
        try DaemonProcess(
            scratch: files.scratch, key: files.key, environment: ["TOKEN_PROVIDER_HTTP2_PRIOR_KNOWLEDGE": "true"])
    }

    @Test func `curl gets the same token over HTTP/2 and HTTP/1.1`() throws {
        let (daemon, url) = try files.daemon()
        let target = url + "/token?tripID=trip-1"
        let authority = ["--cacert", files.authority.path]
        let versions = ["--http2", "--http1.1"].map { ["-w", "\n%{http_version}"] + authority + [$0] }
        let answers = try versions.map { try Curl(target, $0) }
        #expect(answers.map { $0.body.split(separator: "\n").last } == ["2", "1.1"])
        #expect(answers[0].body.split(separator: "\n").first == answers[1].body.split(separator: "\n").first)
        let fields = ["content-type", "cache-control", "x-content-type-options", "content-length"]
        #expect(fields.allSatisfy { answers[0].fields[$0] != nil && answers[0].fields[$0] == answers[1].fields[$0] })
        #expect(try Curl(url + "/healthz", authority + ["--http2", "-I"]).status == 200)
        let refusal = try Curl(url + "/token?tripID=*", authority + ["--http2"])
        #expect(refusal.status == 400)
        #expect(try refusal.json()["code"] as? String == "invalid_id")
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("method=GET path=/token status=400"))
    }

    @Test func `cleartext HTTP/2 is available only where configured, beside HTTP/1.1`() throws {
        let daemon = try openDaemon()
        let target = "\(daemon.url)/token?tripID=trip-1"
        #expect(try Curl(target, ["--http2-prior-knowledge"]).status == 200)
        // A request to upgrade is ignored (RFC 9113 section 3.1).
        #expect(try Curl(target, ["--http2", "-w", "%{http_version}"]).body.hasSuffix("}1.1"))
        let plain = try DaemonProcess(scratch: Scratch(), key: files.key)
        #expect(throws: ChildError.self) { try Curl(plain.url + "/healthz", ["--http2-prior-knowledge"]) }
        #expect(try Curl(plain.url + "/healthz").status == 200)
    }

    @Test func `curl with a body of any length is answered`() throws {
        let daemon = try openDaemon()
        let (secured, url) = try files.daemon()
        for length in [3, 20_000, 100_000] {
            let data = [
                "--data-binary", String(repeating: "b", count: length), "-H",
                length == 3 ? "Expect: 100-continue" : "Expect:",
            ]
            let answers = try [
                Curl(daemon.url + "/healthz", data + ["--http2-prior-knowledge"]),
                Curl(url + "/healthz", data + ["--http2", "--cacert", files.authority.path]),
            ]
            #expect(answers.map { $0.status } == [405, 405])
        }
        #expect(try [daemon.end(), secured.end()] == [0, 0])
    }

    @Test func `HTTP/2 is not offered when turned off`() throws {
        let config = try files.configuration()
        let daemon = try DaemonProcess(
            ["serve", "--config", config], environment: ["TOKEN_PROVIDER_HTTP2_ENABLED": "false"],
            scratch: files.scratch)
        let url = try daemon.secureURL() + "/healthz"
        let answer = try Curl(url, ["--http2", "--cacert", files.authority.path, "-w", "%{http_version}"])
        #expect(answer.body == "ok\n1.1")
    }

    @Test func `nghttp gets many tokens on one connection`() throws {
        let (daemon, url) = try files.daemon()
        let urls = (0..<20).map { "\(url)/token?vehicleID=vehicle-\($0)" }
        let text = try Program.mustRun("nghttp", ["--no-verify-peer", "-nv"] + urls)
        #expect(text.matches(of: /:status: 200/).count == 20)
        #expect(text.contains("The negotiated protocol: h2"))
        #expect(!text.contains("RST_STREAM"))
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: [false, true], ["h2", "http/1.1"])
    func `h2load gets an answer to every request in both protocols`(isSecure: Bool, version: String) throws {
        let daemon = isSecure ? try files.daemon().process : try openDaemon()
        let url = isSecure ? try daemon.secureURL() : daemon.url
        let load = ["-n", "20000", "-c", "32", "-m", "32"] + (version == "h2" ? [] : ["--h1"])
        let text = try Program.mustRun("h2load", load + ["\(url)/token?tripID=trip-1"])
        #expect(text.contains("Application protocol: \(version)\n") || !isSecure, "\(text)")
        #expect(text.contains("20000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(text)")
        #expect(text.contains("status codes: 20000 2xx"))
        #expect(try daemon.end() == 0)
    }

    @Test func `openssl s_client gets a token with hand-written frames`() throws {
        let (daemon, url) = try files.daemon()
        func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
        }
        let fields = [
            (":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/token?tripID=trip-1"),
        ]
        // Literal fields (RFC 7541 section 6.2.2), then a GOAWAY, so that the connection ends after the answer.
        let block = fields.flatMap { [0, UInt8($0.utf8.count)] + $0.utf8 + [UInt8($1.utf8.count)] + $1.utf8 }
        let bytes =
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, []) + frame(1, 5, 1, block)
            + frame(7, 0, 0, [UInt8](repeating: 0, count: 8))
        let address = try #require(url.split(separator: "//").last)
        // Keeps the printable characters of the answer's frames.
        let command = #"openssl s_client -connect "$1" -CAfile "$2" -alpn h2 -ign_eof | tr -cd '\n -~'"#
        let outcome = try Child.run(
            ["sh", "-c", command, "sh", String(address), files.authority.path],
            input: String(decoding: bytes, as: UTF8.self))
        #expect(outcome.output.contains("ALPN protocol: h2"))
        #expect(outcome.output.contains(#"{"TRIP_TOKEN_KEY":""#))
        #expect(try daemon.end() == 0)
    }

    @Test func `DATA on a closed stream is an error of that stream alone`() throws {
        let daemon = try openDaemon()
        try PythonClients.run("http2_closed_stream.py", [daemon.port])
        #expect(try daemon.end() == 0)
    }

    @Test func `a half-close gets all answers and GOAWAY, with and without TLS`() throws {
        let daemon = try openDaemon()
        let (secured, url) = try files.daemon()
        let port = try #require(url.split(separator: ":").last)
        for arguments in [[daemon.port], [String(port), files.authority.path]] {
            try PythonClients.run("http2_half_close.py", arguments)
        }
        #expect(try [daemon.end(), secured.end()] == [0, 0])
    }

    @Test func `floods are cut off and cost a bounded amount of memory`() throws {
        let daemon = try openDaemon()
        let port = try #require(daemon.url.split(separator: ":").last)
        let facts = try PythonClients.run("http2_floods.py", [String(port), "\(daemon.process.identifier)"])
        let floods = try #require(facts["floods"] as? [String: [Int]])
        #expect(floods.count == 15)
        for (name, found) in floods {
            #expect(found[0] == 8, "\(name): of 8 connections \(found[0]) were ended")
            #expect(found[1] < 8192, "\(name): \(found[1]) kB")
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `an answer taken byte by byte ends by the write timeout`() throws {
        let (daemon, url) = try files.daemon(["TOKEN_PROVIDER_HTTP_WRITE_TIMEOUT": "2s"])
        let port = String(url.split(separator: ":").last ?? "")
        try PythonClients.run("http2_drip.py", [daemon.port, port, files.authority.path])
        #expect(try daemon.end() == 0)
    }

    @Test func `httpx reuses one connection, in cleartext and over TLS`() throws {
        let (daemon, url) = try files.daemon()
        let open = try openDaemon()
        for arguments in [[url, "200", files.authority.path], [open.url, "200"]] {
            try PythonClients.runVerifier("http2_requests.py", arguments)
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `a stop under load ends every connection after its answers`() throws {
        let daemon = try openDaemon()
        let output = try OutputPipe()
        let load = try Child(
            ["h2load", "-D", "5", "-c", "8", "-m", "8", "\(daemon.url)/token?tripID=trip-1"], output: .pipe(output))
        try Patience.wait(for: "answers") { try daemon.log().contains("status=200") }
        #expect(try daemon.end() == 0)
        let text = try output.read()
        #expect(try load.wait() == 0)
        let codes = try #require(text.firstMatch(of: /(\d+) 2xx, 0 3xx, 0 4xx, 0 5xx/), "\(text)")
        let succeeded = try #require(text.firstMatch(of: /(\d+) succeeded/))
        // h2load counts streams after the daemon's last one as failed; they were never processed.
        #expect(codes.1 == succeeded.1 && codes.1 != "0")
    }

    @Test func `a stop over TLS sends GOAWAY and answers pending streams`() throws {
        let backEnd = try BackEnd()
        let config = try files.scratch.write(
            "token-provider.yaml",
            """
            listen: []
            credentials: key.json
            tls: {listen: 127.0.0.1:0, certificates: [{certificate: server.pem, key: server.key}]}
            forward_auth: {url: "\(backEnd.url)", timeout: 20s}
            rules: [{name: riders, kinds: [consumer], forward_auth: true}]

            """)
        let daemon = try DaemonProcess(["serve", "--config", config], scratch: files.scratch)
        try PythonClients.run(
            "http2_drain.py", [daemon.port, files.authority.path, "\(daemon.process.identifier)", backEnd.port])
        #expect(try daemon.process.wait() == 0)
    }

    @Test func `a browser uses HTTP/2`() throws {
        let (daemon, url) = try files.daemon()
        let browser = try Browser()
        let journal = browser.path("net.json")
        let page = try browser.page(
            "\(url)/token?tripID=trip-1", ["--ignore-certificate-errors", "--log-net-log=\(journal)"])
        #expect(page.contains("TRIP_TOKEN_KEY"))
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: journal))) as? [String: Any]
        let types = (json?["constants"] as? [String: Any])?["logEventTypes"] as? [String: Int]
        let session = try #require(types?["HTTP2_SESSION_INITIALIZED"] ?? types?["HTTP2_SESSION"])
        let events = try #require(json?["events"] as? [[String: Any]])
        #expect(events.contains { $0["type"] as? Int == session })
        #expect(try daemon.end() == 0)
    }
}
