import TestSupport
import Foundation
import Testing

/// Callers with client certificates, with the real binary and real clients.
@Suite(.blocking, .tags(.addressSanitizer)) struct MutualTLSTests {
    private static let rules = """
        rules:
          - {name: depots, kinds: [driver], certificates: ["uri:spiffe://test/depot", "dns:depot.example.com"],
             ids: {vehicleID: any}}
          - {name: mail, kinds: [driver], certificates: ["email:ops@example.com"], ids: {vehicleID: [v-1]}}
          - {name: whole, kinds: [driver], certificates: ["subject:CN=plain"], ids: {vehicleID: [v-2]}}
          - {name: keys, kinds: [consumer], api_keys: [dispatch], ids: {tripID: any}}
        """

    let callers: CallerFiles
    let authority: TestAuthority
    /// The API key that a rule names.
    let key: String

    init() throws {
        callers = try CallerFiles()
        key = try callers.apiKey("dispatch")
        authority = try TestAuthority().certify("server")
        try authority.listRevoked("clients")
        for name in ["server.pem", "server.key", "ca.pem", "clients.crl"] { try install(name) }
    }

    private func install(_ name: String, of other: TestAuthority? = nil) throws {
        try callers.scratch.write("new", String(decoding: try (other ?? authority).bytes(name), as: UTF8.self))
        try #require(rename(callers.scratch.path("new"), callers.scratch.path(name)) == 0)
    }

    private func configuration(_ demand: String = "required", _ rest: String = "") throws -> String {
        try callers.configuration(
            """
            tls:
              listen: 127.0.0.1:0
              certificates: [{certificate: server.pem, key: server.key}]
              client_certificates: \(demand)
              client_ca_file: ca.pem
              client_crl_file: clients.crl
              client_names: [uri, dns, email, subject]
            audit: {output: file, file: audit}
            \(rest)
            \(Self.rules)
            """)
    }

    private func daemon(
        _ demand: String = "required", _ rest: String = "", environment: [String: String] = [:]
    ) throws -> (DaemonProcess, url: String) {
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration(demand, rest)], environment: environment, scratch: callers.scratch)
        return (daemon, try daemon.secureURL())
    }

    /// Requests a URL with the named client certificate, or without one.
    private func ask(_ url: String, as name: String? = nil, _ arguments: [String] = []) throws -> Curl {
        let shown = name.map { ["--cert", authority.path("\($0).pem"), "--key", authority.path("\($0).key")] } ?? []
        return try Curl(url, ["--cacert", authority.path] + shown + arguments)
    }

    private func issue(_ name: String, _ names: String? = nil) throws {
        try authority.issue(name, [TestAuthority.clientUsage] + (names.map { ["subjectAltName = \($0)"] } ?? []))
    }

    @Test(arguments: [
        ("URI:spiffe://test/depot", "uri:spiffe://test/depot", ["v-1": 200, "v-9": 200]),
        ("DNS:DEPOT.example.com", "dns:depot.example.com", ["v-9": 200]),
        ("email:ops@example.com", "email:ops@example.com", ["v-1": 200, "v-2": 403]),
        (nil, "subject:CN=plain", ["v-1": 403, "v-2": 200]),
        ("URI:spiffe://test/other", "uri:spiffe://test/other", ["v-1": 403]),
        // The same name with another type does not match.
        ("URI:depot.example.com", "uri:depot.example.com", ["v-1": 403]),
        // The first type that the certificate has decides; the others are ignored.
        ("URI:spiffe://test/other, DNS:depot.example.com", "uri:spiffe://test/other", ["v-1": 403]),
    ])
    func `rules, explain and the audit log identify callers by certificate name`(
        names: String?, principal: String, wanted: [String: Int]
    ) throws {
        try issue("plain", names)
        let (daemon, url) = try daemon()
        for (vehicle, status) in wanted {
            let answer = try ask("\(url)/token?vehicleID=\(vehicle)", as: "plain")
            #expect(answer.status == status)
            #expect(answer.version == "2")
            let explained = try Program.run(
                Program.daemon,
                ["explain", "--config", configuration(), "--vehicle", vehicle, "--certificate", principal])
            #expect((explained.status == 0) == (status == 200))
        }
        #expect(try daemon.end() == 0)
        let records = try callers.auditRecords().filter { $0["event"] == nil }
        #expect(
            records.allSatisfy { ($0["principal"] as? String) == principal && $0["source"] as? String == "certificate" }
        )
        #expect(records.count == wanted.count)
        #expect(try daemon.log().contains("it is for other callers") == wanted.values.contains(403))
    }

    @Test func `an ambiguous or unreadable certificate name does not authenticate a caller`() throws {
        try issue("two", "DNS:depot.example.com, DNS:other.example.com")
        try issue("long", "URI:spiffe://test/\(String(repeating: "x", count: 600))")
        let (daemon, url) = try daemon()
        for name in ["two", "long"] { #expect(try ask("\(url)/token?vehicleID=v-1", as: name).status == 401) }
        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        #expect(log.contains("has 2 names of the kind dns; expected one"))
        #expect(log.contains("has a name of the kind uri that is empty, too long or not of visible ASCII"))
    }

    @Test func `a certificate counts only when the request has no other credentials`() throws {
        try issue("depot", "URI:spiffe://test/depot")
        let (daemon, url) = try daemon("optional")
        func status(_ path: String, as name: String?, _ fields: [String] = []) throws -> Int {
            try ask(url + path, as: name, fields.flatMap { ["-H", $0] }).status
        }
        let (trip, vehicle) = ("/token?tripID=t-1", "/token?vehicleID=v-1")
        #expect(try status(vehicle, as: "depot") == 200)
        #expect(try status(vehicle, as: nil) == 401)
        #expect(try status(trip, as: "depot") == 403)
        for field in ["Authorization: Bearer \(key)", "X-API-Key: \(key)"] {
            #expect(try status(trip, as: "depot", [field]) == 200)
            #expect(try status(trip, as: nil, [field]) == 200)
            #expect(try status(vehicle, as: "depot", [field]) == 403)
        }
        // A valid certificate does not make up for invalid credentials.
        for field in ["Authorization: Bearer \(key)x", "Authorization: Basic eDp5", "Authorization: Bearer"] {
            #expect(try status(vehicle, as: "depot", [field]) == 401)
        }
        #expect(try daemon.end() == 0)
    }

    @Test func `an API key in a refused certificate's subject is not logged`() throws {
        let other = try TestAuthority()
        try other.issue(key, [TestAuthority.clientUsage])
        let (daemon, url) = try daemon()
        #expect(throws: ChildError.self) {
            try Curl(
                "\(url)/token?vehicleID=v-1",
                ["--cacert", authority.path, "--cert", other.path("\(key).pem"), "--key", other.path("\(key).key")])
        }
        try daemon.waitForLog("the client's certificate (CN=tpk")
        #expect(try !daemon.log().contains(key.dropFirst(4)))
    }

    @Test func `a client without a required certificate is refused and logged`() throws {
        let (daemon, url) = try daemon()
        #expect(throws: ChildError.self) { try ask("\(url)/token?vehicleID=v-1") }
        try daemon.waitForLog("TLS handshake with a client failed reason=\"peer did not return a certificate\"")
    }

    @Test func `each listener applies its own client certificate setting`() throws {
        try issue("depot", "URI:spiffe://test/depot")
        let (daemon, _) = try daemon(
            "none",
            """
            listeners:
              - {address: 127.0.0.1:0, tls: true, client_certificates: optional}
              - {address: 127.0.0.1:0, tls: true, client_certificates: required}
              - {address: 127.0.0.1:0, tls: true}
            """)
        let ports = daemon.said.matches(of: /listening on https:\/\/127.0.0.1:(\d+)/).map(\.1)
        try #require(ports.count == 4)
        // First tls.listen, then the listeners in order: the status with a certificate, and without.
        for (port, statuses) in zip(ports, [(401, 401), (200, 401), (200, nil), (401, 401)] as [(Int, Int?)]) {
            let target = "https://localhost:\(port)/token?vehicleID=v-1"
            #expect(try ask(target, as: "depot").status == statuses.0)
            if let without = statuses.1 {
                #expect(try ask(target).status == without)
            } else {
                #expect(throws: ChildError.self) { try ask(target) }
            }
        }
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: RefusedCertificate.all, ["required", "optional"])
    func `an unacceptable client certificate is refused and the reason logged`(
        refused: RefusedCertificate, demand: String
    ) throws {
        try refused.issue(by: authority, listing: "clients")
        try install("clients.crl")
        try issue("depot", "URI:spiffe://test/depot")
        let (daemon, url) = try daemon(demand)
        #expect(throws: ChildError.self) { try ask("\(url)/token?vehicleID=v-1", as: "bad") }
        try daemon.waitForLog(
            "TLS handshake with a client failed reason=\"the client's certificate (CN=bad) is refused: ")
        let line = try #require(try daemon.log().split(separator: "\n").first { $0.contains("(CN=bad)") })
        #expect(line.contains("\(refused.reason)"), "\(line)")
        #expect(try ask("\(url)/token?vehicleID=v-1", as: "depot").status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test func `words of a client's certificate cannot look like fields`() throws {
        try Child.mustRun(
            ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj"]
                + ["/CN=x id=driver:vehicle-1 rule=dispatch status=200"]
                + ["-keyout", authority.path("bad.key"), "-out", authority.path("bad.pem")])
        let (daemon, url) = try daemon()
        #expect(throws: ChildError.self) { try ask("\(url)/token?vehicleID=v-1", as: "bad") }
        try daemon.waitForLog("rule=dispatch")
        let line = try #require(try daemon.log().split(separator: "\n").first { $0.contains("rule=dispatch") })
        let unquoted = line.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "")
        #expect(unquoted.matches(of: /([a-z_]+)=/).map(\.1) == ["reason"], "\(line)")
    }

    @Test func `if a revocation list is missing, certificates are refused and logged`() throws {
        try authority.listRevoked("clients", of: ["ca"])
        try install("clients.crl")
        try issue("depot", "URI:spiffe://test/depot")
        let (daemon, url) = try daemon()
        #expect(throws: ChildError.self) { try ask("\(url)/token?vehicleID=v-1", as: "depot") }
        try daemon.waitForLog("the client's certificate (CN=depot) is refused: unable to get certificate CRL")
        #expect(try daemon.end() == 0)
    }

    @Test func `once a revocation list expires, certificates are refused`() throws {
        try authority.listRevoked("clients", seconds: 3000)
        try install("clients.crl")
        try issue("depot", "URI:spiffe://test/depot")
        let clock = try SuspendedClock(in: callers.scratch)
        let (daemon, url) = try daemon(environment: clock.environment)
        #expect(try ask("\(url)/token?vehicleID=v-1", as: "depot").status == 200)
        try clock.set(3001)
        #expect(throws: ChildError.self) { try ask("\(url)/token?vehicleID=v-1", as: "depot") }
        try daemon.waitForLog("the client's certificate (CN=depot) is refused: CRL has expired")
    }

    @Test(arguments: ["1.1", "2"])
    func `SIGHUP applies a new revocation list, but not a broken one`(version: String) throws {
        try issue("depot", "URI:spiffe://test/depot")
        let (daemon, url) = try daemon()
        let (target, way) = ("\(url)/token?vehicleID=v-1", ["--http\(version)"])
        let answer = try ask(target, as: "depot", way)
        #expect(answer.status == 200)
        #expect(answer.version == version)
        try callers.scratch.write("clients.crl", "nothing")
        daemon.process.send(SIGHUP)
        let path = callers.scratch.path("clients.crl")
        try daemon.waitForLog(
            "not reloaded; the previous configuration stays reason=\"\(path): is not PEM"
        )
        #expect(try ask(target, as: "depot", way).status == 200)
        try authority.revoke("depot")
        try authority.listRevoked("clients")
        try install("clients.crl")
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("the configuration was reloaded")
        #expect(throws: ChildError.self) { try ask(target, as: "depot", way) }
        try daemon.waitForLog("the client's certificate (CN=depot) is refused: certificate revoked")
    }

    @Test(arguments: ["certificate", "authority", "list"])
    func `an open connection's certificate is refused once it is withdrawn`(what: String) throws {
        if what == "list" {
            try authority.listRevoked("clients", seconds: 3000)
            try install("clients.crl")
        }
        try issue("depot", "URI:spiffe://test/depot")
        try issue("other", "URI:spiffe://test/depot")
        let clock = try SuspendedClock(in: callers.scratch)
        let (daemon, _) = try daemon(environment: clock.environment)
        let names = ["depot", "other"]
        let clients = try names.map { name in
            let files = ["\(name).pem", "\(name).key"].map(authority.path)
            return try PythonClients.start(
                "kept_connection.py", [daemon.securePort(), authority.path] + files + [callers.scratch.path(name)])
        }
        #expect(clients.map(\.firstLine) == ["200", "200"])
        if what == "list" {
            try clock.set(3001)
        } else {
            let current = what == "authority" ? try TestAuthority() : authority
            if what == "certificate" { try authority.revoke("depot") }
            try current.listRevoked("clients")
            for name in ["ca.pem", "clients.crl"] { try install(name, of: current) }
            daemon.process.send(SIGHUP)
            try daemon.waitForLog("the configuration was reloaded")
        }
        let answers = try names.map { name in
            try callers.scratch.write(name, "")
            let file = callers.scratch.path("\(name).answer")
            try Patience.wait(for: file) { FileManager.default.fileExists(atPath: file) }
            return try callers.scratch.text("\(name).answer")
        }
        #expect(answers == (what == "certificate" ? ["closed", "200"] : ["closed", "closed"]))
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: [
        (2000, "required", 200, 0, "expires in 0 hours; expected a renewed one"),
        (86_400 * 90, "required", 200, 90, nil),
        (-7100, "required", 503, 0, "expired 1 hour ago, so clients of this authority are refused"),
        (-7100, "optional", 200, 0, "expired 1 hour ago, so clients of this authority are refused"),
    ])
    func `readyz reports revocation list expiry, and fails only where certificates are required`(
        seconds: Int, demand: String, status: Int, days: Int, said: String?
    ) throws {
        try authority.listRevoked("clients", seconds: seconds)
        try install("clients.crl")
        try issue("depot", "URI:spiffe://test/depot")
        let (daemon, url) = try daemon(demand, "listeners: [{address: 127.0.0.1:0, serves: admin}]")
        let answer = try Curl("\(daemon.adminURL())/readyz")
        let json = try answer.json()
        #expect(answer.status == status)
        #expect([days, days - 1].contains(json["revocation_list_days"] as? Int))
        #expect([399, 400].contains(json["client_authority_days"] as? Int))
        let path = callers.scratch.path("clients.crl")
        let warnings = said.map { said in
            ["ca", "middle"].map { "\(path): the revocation list of CN=\($0) \(said)" }
        }
        #expect(json["warnings"] as? [String] == warnings ?? [])
        let checks = try #require(json["checks"] as? [String: String])
        #expect(checks["certificates"] == (status == 503 ? warnings?.first : "ok"))
        #expect(
            try daemon.cure(of: "certificates")
                == (status == 503 ? "install the authority's current revocation list\ntoken-provider reload" : nil))
        for warning in warnings ?? [] { try daemon.waitForLog(warning) }
        if seconds < 0 {
            #expect(throws: ChildError.self) { try ask("\(url)/token?vehicleID=v-1", as: "depot") }
            try daemon.waitForLog("the client's certificate (CN=depot) is refused: CRL has expired")
        } else {
            #expect(try ask("\(url)/token?vehicleID=v-1", as: "depot").status == 200)
        }
    }

    @Test func `serve and check refuse a CA file that others can write`() throws {
        chmod(callers.scratch.path("ca.pem"), 0o622)
        let config = try configuration()
        let served = try Program.run(Program.daemon, ["serve", "--config", config])
        #expect(served.status == 78)
        #expect(
            served.sentences == [
                "\(callers.scratch.path("ca.pem")): others can write this file and so let themselves in; expected chmod go-w"
            ])
        #expect(try Program.run(Program.daemon, ["check", "--config", config]).sentences == served.sentences)
    }
}
