import Foundation
import TestSupport
import Testing

/// Rate limits by address, by principal and by failures, each apart from the others.
@Suite(.blocking, .tags(.threadSanitizer)) struct LimitTests {
    static let rules = """
        rules:
          - {name: everyone, kinds: [consumer], ids: {tripID: [trip-1]}}
        """
    // A rate that allows next to nothing after the burst.
    static let none = "0.001"
    static let failures = "failure_rate: \(none), failure_burst: 3, principal_rate: 0"

    let files: CallerFiles
    let key: String

    init() throws {
        files = try CallerFiles()
        key = try files.apiKey("dispatch")
    }

    @Test func `each address behind a trusted proxy has its own burst`()
        throws
    {
        let daemon = try daemon("address_rate: \(Self.none), address_burst: 3", "trusted: [127.0.0.1, 10.0.0.0/8]")
        func anonymous(_ address: String) throws -> Curl {
            try Curl("\(daemon.url)/token?tripID=trip-1", ["-H", "X-Forwarded-For: \(address)"])
        }
        for _ in 1...3 { #expect(try anonymous("203.0.113.7").status == 401) }
        for forwarded in [
            "203.0.113.7", "198.51.100.9, 203.0.113.7", "198.51.100.9,203.0.113.7, 10.1.2.3", "203.0.113.7:4711",
            "203.0.113.7, ", "\"203.0.113.7\"",
        ] {
            let answer = try anonymous(forwarded)
            #expect(answer.status == 429, "\(forwarded)")
            #expect(try #require(answer.fields["retry-after"].flatMap { Int($0) }) > 0)
            #expect(try answer.json()["code"] as? String == "too_many_requests")
        }
        // Who has a limit of its own is served whatever the neighbours ask, and whom we do not know learns it.
        for credentials in [key, try files.token(["sub": "new"])] {
            #expect(try ask(daemon, credentials, from: "203.0.113.7").status == 200)
        }
        #expect(try ask(daemon, try files.token(["sub": NSNull()]), from: "203.0.113.7").status == 429)
        let wrong = [
            "x.y.z", "tpk_" + String(repeating: "A", count: 43), String(try files.token().dropLast(4) + "AAAA"),
        ]
        for credentials in wrong { #expect(try ask(daemon, credentials, from: "203.0.113.7").status == 401) }
        #expect(try anonymous("203.0.113.8").status == 401)
        #expect(try anonymous("203.0.113.7, 203.0.113.9").status == 401)
        // A subscriber's IPv6 network counts as one address.
        for number in 1...3 { #expect(try anonymous("2001:db8:1:2::\(number)").status == 401) }
        #expect(try anonymous("[2001:db8:1:2:ffff::1]:443").status == 429)
        #expect(try anonymous("2001:db8:1:3::1").status == 401)
        #expect(try Curl("\(daemon.url)/healthz", ["-H", "X-Forwarded-For: 203.0.113.7"]).status == 200)
    }

    @Test func `an unreadable element of a proxy's header is logged once`() throws {
        func sections(_ trusted: String) -> String {
            "\(Self.rules)\nproxies: {header: forwarded, trusted: [\(trusted)]}"
        }
        let daemon = try files.daemon(sections("127.0.0.1"), environment: DaemonProcess.withAdmin)
        func reload(_ trusted: String) throws {
            _ = try files.configuration(sections(trusted))
            #expect(try Program.run(Program.daemon, ["reload", "--url", daemon.adminURL()]).status == 0)
        }
        func send(_ elements: String...) throws {
            for element in elements {
                let field = "Forwarded: for=203.0.113.7, \(element)"
                _ = try Curl("\(daemon.url)/token?tripID=trip-1", ["-H", field])
            }
        }
        try send("for=unknown", "for=_hidden")
        try reload("127.0.0.1")
        try send("for=_again")
        // Other proxies are another occasion.
        try reload("127.0.0.1, 10.0.0.0/8")
        try send("x\"y", "for=_late")
        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        let warnings = log.split(separator: "\n").filter { $0.contains("names no address") }
        #expect(warnings.count == 2 && !log.contains("203.0.113"), "\(log)")
        #expect(warnings.first?.hasSuffix(#"element="for=unknown""#) == true, "\(warnings)")
        #expect(warnings.last?.hasSuffix(#"element="\"y""#) == true, "\(warnings)")
    }

    @Test func `ids of an address over its limit are not read`() throws {
        let daemon = try files.daemon(
            """
            \(Self.rules)
            limits: {address_rate: \(Self.none), address_burst: 1}
            proxies: {trusted: [127.0.0.1]}
            audit: {output: file, file: audit}
            """)
        for (path, status) in [
            ("?tripID=a", 401), ("?tripID=b", 429), ("/consumer/c", 429), ("?tripID=", 429), ("/unknown/d", 429),
        ] {
            let answer = try Curl("\(daemon.url)/token\(path)", ["-H", "X-Forwarded-For: 203.0.113.7"])
            #expect(answer.status == status, "\(path)")
        }
        #expect(try daemon.end() == 0)
        let refusals = try files.auditRecords().filter { $0["code"] != nil }
        #expect(refusals.filter { $0["ids"] != nil }.map { $0["outcome"] as? String } == ["unauthenticated"])
        let lines = try daemon.log().split(separator: "\n").filter { $0.contains(" info request ") }
        #expect(lines.filter { $0.contains(" id=consumer:") }.count == 1)
        #expect(lines.contains { $0.contains("path=/token/consumer/{id} status=429") })
    }

    @Test func `forwarded addresses are ignored without a trusted proxy`() throws {
        let daemon = try daemon("address_rate: \(Self.none), address_burst: 3", "trusted: [192.0.2.1]")
        for _ in 1...6 { #expect(try ask(daemon, from: "203.0.113.7").status == 200) }
    }

    @Test func `each principal has its own burst from any address`() throws {
        let daemon = try daemon("principal_rate: \(Self.none), principal_burst: 3", "trusted: [127.0.0.1]")
        let tokens = try ["user-1", "user-2"].map { try files.token(["sub": $0]) }
        for credentials in tokens + [key] {
            for number in 1...3 { #expect(try ask(daemon, credentials, from: "203.0.113.\(number)").status == 200) }
            let answer = try ask(daemon, credentials, from: "203.0.113.4")
            #expect(answer.status == 429)
            #expect(try #require(answer.fields["retry-after"].flatMap { Int($0) }) > 0)
        }
        // Another token of the same user is the same principal; a user of a key's name is another.
        #expect(try ask(daemon, files.token(["sub": "user-1", "jti": "2"])).status == 429)
        #expect(try ask(daemon, files.token(["sub": "dispatch"])).status == 200)
    }

    @Test func `wrong keys are limited while known callers of the address are served`() throws {
        let daemon = try daemon(Self.failures, "trusted: [127.0.0.1]")
        let token = try files.token()
        #expect(try ask(daemon, token, from: "203.0.113.7").status == 200)
        #expect(try ask(daemon, from: "203.0.113.7").status == 200)
        let wrong = "tpk_" + String(repeating: "A", count: 43)
        let statuses = try (1...6).map { _ in try ask(daemon, wrong, from: "203.0.113.7").status }
        #expect(statuses == [401, 401, 401, 429, 429, 429])
        #expect(try ask(daemon, "x.y.z", from: "203.0.113.7").status == 401)
        #expect(try ask(daemon, try files.token(["sub": "new"]), from: "203.0.113.7").status == 200)
        #expect(try ask(daemon, token, from: "203.0.113.7").status == 200)
        #expect(try ask(daemon, wrong, from: "203.0.113.8").status == 401)
        #expect(try ask(daemon, from: "203.0.113.8").status == 200)
        #expect(try ask(daemon, from: "203.0.113.7").status == 200, "a known key waits for failures of others")
    }

    /// Where no proxy is trusted, the clients of this machine have no counted address and share one turn, as behind a
    /// balancer that hides them.
    @Test(arguments: ["127.0.0.1", "192.0.2.1"])
    func `invalid tokens of neighbours never refuse a valid one`(trusted: String) throws {
        let limits = "failure_rate: \(Self.none), failure_burst: 3, address_rate: 0"
        let daemon = try files.daemon(
            "\(Self.rules)\nlimits: {\(limits)}\nproxies: {trusted: [\(trusted)]}",
            environment: DaemonProcess.withAdmin)
        let expired = try (1...21).map { try files.token(["sub": "late-\($0)", "exp": 1_000_000_000]) }
        for token in expired { #expect(try ask(daemon, token, from: "203.0.113.7").status == 401) }
        let forged = try files.token().dropLast(4) + "AAAA"
        let users = try (1...7).map { try files.token(["sub": "user-\($0)"]) }
        // More than an address may have fail before its tokens take turns.
        let facts = try PythonClients.run(
            "token_flood.py", ["127.0.0.1", daemon.port, "203.0.113.7", String(forged)] + users)
        #expect(try #require(facts["forged"] as? Int) >= 300)
        #expect(facts["served"] as? Int == 14)
        #expect(try ask(daemon, from: "203.0.113.7").status == 200)
        // Clients that go lose their answers, for which the daemon is not to blame.
        #expect(try Scrape(daemon.adminURL())["answers_abandoned_total"] == 0)
    }

    @Test func `a caller with too many refusals waits without affecting others`() throws {
        let daemon = try daemon(Self.failures, "trusted: [127.0.0.1]")
        let (prober, other) = (try files.token(["sub": "prober"]), try files.token(["sub": "other"]))
        let statuses = try (1...5).map { number in
            try Curl("\(daemon.url)/token?tripID=guess-\(number)", bearer: prober).status
        }
        #expect(statuses == [403, 403, 403, 429, 429])
        #expect(try ask(daemon, prober).status == 429)
        #expect(try ask(daemon, other).status == 200)
    }

    @Test func `a refused local peer that no limit covers is reported once`()
        throws
    {
        let daemon = try files.daemon("\(Self.rules)\nproxies: {trusted: [192.0.2.1]}", ["--listen", "0.0.0.0:0"])
        let url = "http://127.0.0.1:\(daemon.port)/token?tripID=trip-1"
        #expect(try Curl(url, bearer: key).status == 200)
        let warning = "refused a request of a peer on this machine, which address limits do not count"
        #expect(try !daemon.log().contains(warning))
        for _ in 1...3 { #expect(try Curl(url).status == 401) }
        try daemon.end()
        #expect(try daemon.log().components(separatedBy: warning).count == 2)
        #expect(try daemon.log().contains("peer=127.0.0.1"))
    }

    @Test func `callers without a principal do not block others and are logged once`() throws {
        let daemon = try daemon(Self.failures, "trusted: [127.0.0.1]")
        let tokens = try (1...4).map { try files.token(["sub": NSNull(), "jti": "\($0)"]) }
        func status(_ trip: String, _ token: String, from address: String) throws -> Int {
            let fields = ["-H", "Authorization: Bearer \(token)", "-H", "X-Forwarded-For: \(address)"]
            return try Curl("\(daemon.url)/token?tripID=\(trip)", fields).status
        }
        for number in 1...20 {
            #expect(try status("guess-\(number)", tokens[0], from: "203.0.113.7") == 403)
        }
        #expect(try status("trip-1", tokens[1], from: "203.0.113.7") == 200)
        #expect(try status("trip-1", tokens[1], from: "203.0.113.8") == 200)
        #expect(try status("trip-1", tokens[2], from: "203.0.113.9") == 200)
        try daemon.end()
        let warnings = try daemon.log().split(separator: "\n").filter {
            $0.contains("a token does not name its caller")
        }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("claim=sub") == true)
    }

    @Test func `the configured principal claim identifies callers in limits and records`() throws {
        let issuer = """
            issuers:
              - {issuer: "https://id.example.com", audiences: [token-provider], algorithms: [RS256], keys: keys.json,
                 principal: user.id}
            """
        let daemon = try files.daemon(
            "\(Self.rules)\nlimits: {\(Self.failures)}\naudit: {output: file, file: audit}", issuer: issuer)
        let tokens = try ["ada", "bob"].map { try files.token(["sub": "same", "user": ["id": $0]]) }
        let statuses = try (1...4).map { try Curl("\(daemon.url)/token?tripID=x-\($0)", bearer: tokens[0]).status }
        #expect(statuses == [403, 403, 403, 429])
        #expect(try ask(daemon, tokens[1]).status == 200)
        try daemon.end()
        let principals = try files.auditRecords().compactMap { $0["principal"] as? String }
        #expect(Set(principals) == ["ada", "bob"])
    }

    @Test func `the PROXY protocol names the client, and peers without it are closed`() throws {
        let configuration = try files.configuration(
            "\(Self.rules)\nlimits: {address_rate: \(Self.none), address_burst: 3}\n"
                + "proxies: {proxy_protocol: [127.0.0.1]}")
        let admin = files.scratch.path("admin.sock")
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration], environment: ["TOKEN_PROVIDER_ADMIN_LISTEN": "unix:\(admin)"],
            scratch: files.scratch)
        try PythonClients.run("proxy_protocol.py", ["127.0.0.1", daemon.port, key])
        // One in a second is logged, each is counted.
        try daemon.waitForLog(
            "closed a connection of a proxy peer=127.0.0.1 reason=\"its PROXY protocol header is missing")
        let metrics = try Curl("http://a/metrics", ["--unix-socket", admin])
        #expect(metrics.body.contains("\ntoken_provider_proxy_headers_refused_total 3\n"))
    }

    // MARK: -

    private func daemon(_ limits: String, _ proxies: String) throws -> DaemonProcess {
        try files.daemon("\(Self.rules)\nlimits: {\(limits)}\nproxies: {\(proxies)}")
    }

    private func ask(_ daemon: DaemonProcess, _ credentials: String? = nil, from address: String = "203.0.113.1") throws
        -> Curl
    {
        let fields = ["-H", "Authorization: Bearer \(credentials ?? key)", "-H", "X-Forwarded-For: \(address)"]
        return try Curl("\(daemon.url)/token?tripID=trip-1", fields)
    }
}
