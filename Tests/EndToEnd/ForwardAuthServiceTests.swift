import Foundation
import TestSupport
import Testing

/// What services are asked that know the question only by its headers.
@Suite(.blocking, .tags(.addressSanitizer)) struct ForwardAuthServiceTests {
    private let files: CallerFiles
    private let backEnd: BackEnd

    init() throws { (files, backEnd) = (try CallerFiles(), try BackEnd()) }

    private func daemon(_ more: String = "") throws -> DaemonProcess {
        try files.daemon(
            """
            forward_auth: {url: "\(backEnd.url)", method: GET, body: ignore, headers: [Cookie]}
            rules: [{name: riders, kinds: [consumer], forward_auth: true}]
            \(more)
            """)
    }

    private func ask(_ daemon: DaemonProcess, _ fields: [String] = []) throws -> Curl {
        let spoofed = ["X-Forwarded-User: admin", "X-Forwarded-For: 203.0.113.9"]
        return try Curl("\(daemon.url)/token?tripID=allow-1", (spoofed + fields).flatMap { ["-H", $0] })
    }

    @Test func `a caller authenticated here is named, and no client names itself`() throws {
        let (key, token) = (try files.apiKey("dispatch"), try files.token(["sub": "Jane R\u{E9}n\u{E9}"]))
        let daemon = try daemon()
        for fields in [["X-API-Key: \(key)"], ["Authorization: Bearer \(token)"], [], ["Authorization: Basic dTpw"]] {
            #expect(try ask(daemon, fields).status == 200)
        }
        let questions = try backEnd.seen().questions
        // The server of these tests reads each byte of UTF-8 as a character.
        #expect(
            questions.map { $0.values("x-forwarded-user") } == [
                ["dispatch"], ["Jane R\u{C3}\u{A9}n\u{C3}\u{A9}"], [], [],
            ])
        #expect(questions.map { $0.values("authorization") } == [[], ["Bearer \(token)"], [], ["Basic dTpw"]])
    }

    @Test func `a name that no header carries unchanged is refused`() throws {
        let daemon = try daemon()
        for name in [" dispatch", "dispatch\t", "a\r\nX-Forwarded-User: admin", "a\u{0}"] {
            let token = try files.token(["sub": name])
            #expect(try ask(daemon, ["Authorization: Bearer \(token)"]).status == 401)
        }
        #expect(try backEnd.seen().questions.isEmpty)
        try daemon.waitForLog("the header x-forwarded-user cannot be forwarded")
    }

    @Test func `services are asked without the path prefix`() throws {
        let daemon = try daemon("request: {path_prefix: /fleet}\naudit: {output: file, file: audit}")
        #expect(try Curl("\(daemon.url)/fleet/token?tripID=allow-1").status == 200)
        #expect(
            try backEnd.seen().questions.map { $0.values("x-forwarded-uri") } == [["/token/consumer?tripID=allow-1"]])
        #expect(try daemon.end() == 0)
        #expect(try files.auditRecords().contains { $0["rule"] as? String == "riders" })
    }

    @Test func `the headers are those that Caddy itself sends`() throws {
        let port = try DocumentedProxyTests.freePort()
        let caddy = try caddy(
            """
            http://127.0.0.1:\(port) {
                forward_auth 127.0.0.1:\(backEnd.port) {
                    uri /allowed
                }
                respond 200
            }

            """, port: port)
        defer { caddy.end() }
        let daemon = try daemon()
        #expect(try ask(daemon).status == 200)
        #expect(try Curl("http://127.0.0.1:\(port)/token/consumer?tripID=allow-1").status == 200)
        let questions = try backEnd.seen().questions
        let names = ["method", "uri", "proto", "host", "for"].map { "x-forwarded-\($0)" }
        let sent = zip(questions.suffix(2), [daemon.port, String(port)]).map { question, port in
            names.map { name in question.values(name).map { $0.replacing(port, with: "PORT") } }
        }
        #expect(sent.count == 2 && sent[0] == sent[1])
        #expect(sent[0] == [["GET"], ["/token/consumer?tripID=allow-1"], ["http"], ["127.0.0.1:PORT"], ["127.0.0.1"]])
    }

    @Test func `Caddy decides about tokens by the documented file`() throws {
        let (section, port) = ("A service for Traefik, Caddy or nginx", try DocumentedProxyTests.freePort())
        let service = try DocumentedBlock.first("caddyfile", under: section, of: "ForwardAuth").text
        let caddy = try caddy(service.replacing("9091", with: String(port)), port: port)
        defer { caddy.end() }
        let keys = try ["dispatch", "depot"].map { try files.apiKey($0) }
        let settings = try DocumentedBlock.first("yaml", under: section, of: "ForwardAuth").text
        let daemon = try documented(settings.replacing("9091", with: String(port)))
        for (key, query, status) in [
            (keys[0], "tripID=a", 200), (keys[0], "vehicleID=a", 403), (keys[1], "tripID=a", 403),
        ] {
            #expect(try Curl("\(daemon.url)/token?\(query)", bearer: key).status == status, "\(query)")
        }
        let spoofed = ["X-Forwarded-User: dispatch", "Authorization: Bearer \(keys[1])"].flatMap { ["-H", $0] }
        #expect(try Curl("\(daemon.url)/token?tripID=a", spoofed).status == 403)
    }

    @Test func `a Rego policy decides by the documented rules`() throws {
        let policy = try DocumentedBlock.first("rego", under: "Open Policy Agent", of: "ForwardAuth").text
        #expect(policy.split(separator: "\n").count <= 8)
        let server = try PythonClients.startDocumentationTool(
            "policy_server.py", [try files.scratch.write("policy.rego", policy)])
        defer { server.terminate() }
        let port = try #require(server.firstLine)
        let settings = try DocumentedBlock.first("yaml", under: "Open Policy Agent", of: "ForwardAuth").text
            .replacing("8181", with: port).replacing("[RS256]", with: "[RS256]\n    keys: keys.json")
        let daemon = try documented(settings)
        let token = try files.token(["sub": "ann"])
        for (trip, status) in [("ann-1", 200), ("bob-1", 403), ("ann", 403)] {
            #expect(try Curl("\(daemon.url)/token?tripID=\(trip)", bearer: token).status == status, "\(trip)")
        }
        let undefined = try documented(settings.replacing("fleet/allow", with: "fleet/other"))
        #expect(try Curl("\(undefined.url)/token?tripID=ann-1", bearer: token).status == 403)
        try undefined.waitForLog("has no result; expected the URL of a policy with a default")
    }

    /// Caddy with this file, once it answers.
    private func caddy(_ file: String, port: Int) throws -> Child {
        let scratch = files.scratch
        let path = try scratch.write("Caddyfile", "{\n\tadmin off\n}\n\(file)")
        let own = ["XDG_DATA_HOME", "XDG_CONFIG_HOME"].map { "\($0)=\(scratch.folder.path)" }
        let caddy = try Child(
            ["env"] + own + ["caddy", "run", "--config", path, "--adapter", "caddyfile"],
            errors: .file(scratch.path("caddy.log")))
        try Patience.wait(for: "Caddy") {
            let log = caddy.isRunning ? "" : try scratch.text("caddy.log")
            try #require(log.isEmpty, "Caddy ended: \(log)")
            return (try? Curl("http://127.0.0.1:\(port)/").status) != nil
        }
        return caddy
    }

    /// A daemon with the settings of the documentation.
    private func documented(_ settings: String) throws -> DaemonProcess {
        let path = try files.scratch.write("own.yaml", "listen: 127.0.0.1:0\ncredentials: key.json\n\(settings)")
        return try DaemonProcess(["serve", "--config", path], scratch: files.scratch)
    }

    @Test func `the client's address comes from the peer or a trusted proxy`() throws {
        for (proxies, address) in [("", "127.0.0.1"), ("proxies: {trusted: [127.0.0.1]}", "203.0.113.9")] {
            let daemon = try daemon(proxies)
            #expect(try ask(daemon).status == 200)
            #expect(try backEnd.seen().questions.last?.values("x-forwarded-for") == [address])
        }
        let path = try files.configuration(
            "forward_auth: {url: \"\(backEnd.url)\", method: GET}\nrules: [{name: riders, kinds: [consumer], forward_auth: true}]"
        )
        let explain = ["explain", "--config", path, "--trip", "allow-1", "--header", "X-Forwarded-For: 2001:db8::1"]
        #expect(try Program.run(Program.daemon, explain).status == 0)
        #expect(try backEnd.seen().questions.last?.values("x-forwarded-for") == ["2001:db8::1"])
    }
}
