import ChildProcess
import Foundation
import Testing

/// The company's back end decides: the real binary asks one that is scripted.
@Suite struct ForwardAuthTests {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    /// A daemon whose trips are decided by the back end for everybody.
    private func daemon(_ settings: String = "", rules: String = "", more: String = "") throws -> DaemonProcess {
        let path = try configuration(settings, rules: rules, more: more)
        return try DaemonProcess(["serve", "--config", path], scratch: files.scratch)
    }

    private func configuration(_ settings: String, rules: String, more: String) throws -> String {
        try files.configuration(
            """
            listen: 127.0.0.1:0
            credentials: \(files.key.path)
            kinds: {enabled: [consumer, driver, task_batch, server], server: {credentials: \(files.key.path)}}
            forward_auth: {url: "\(backEnd.url)"\(settings.isEmpty ? "" : ", \(settings)")}
            rules:
              - {name: riders, kinds: [consumer, driver, task_batch], forward_auth: true}
            \(rules)
            \(more)
            """)
    }

    private func ask(
        _ daemon: DaemonProcess, _ query: String, as bearer: String? = "caller-canary", _ arguments: [String] = []
    ) throws -> Curl {
        let fields = bearer.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return try Curl("\(daemon.url)/token?\(query)", fields + arguments)
    }

    private func code(_ answer: Curl) throws -> String? { try answer.json()["code"] as? String }

    @Test func `2xx allows, 401 and 403 refuse, and the client is told nothing that the back end said`() throws {
        let daemon = try daemon()
        for word in ["allow", "accepted", "none", "anything"] {
            #expect(try ask(daemon, "tripID=\(word)-1").status == 200)
        }
        let denied = try ask(daemon, "tripID=deny-1")
        #expect(denied.status == 403)
        #expect(try code(denied) == "not_allowed")
        let unknown = try ask(daemon, "tripID=unknown-1")
        #expect(unknown.status == 401)
        #expect(try code(unknown) == "invalid_credentials")
        #expect(unknown.fields["www-authenticate"] == #"Bearer realm="token-provider", error="invalid_token""#)
        #expect(unknown.fields["location"] == nil)
        let nobody = try ask(daemon, "tripID=unknown-2", as: nil)
        #expect(nobody.status == 401)
        #expect(nobody.fields["www-authenticate"] == #"Bearer realm="token-provider""#)
    }

    @Test(arguments: [
        "error", "missing", "moved", "busy", "false", "torn", "garbage", "drop", "broken", "huge", "slow",
    ])
    func `anything else is an outage, and nobody gets a token by it`(word: String) throws {
        let daemon = try daemon("timeout: 500ms")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        let answer = try ask(daemon, "tripID=\(word)-1")
        #expect(answer.status == 503)
        #expect(try code(answer) == "caller_check_unavailable")
        #expect(answer.fields["retry-after"] == "5")
        #expect(try ask(daemon, "tripID=allow-2").status == 200)
        #expect(!(try backEnd.seen().questions.contains { $0.path.contains("elsewhere") }))
        try daemon.waitForLog("asks a back end that decided nothing: ")
    }

    @Test func `a back end that is not there is an outage`() throws {
        backEnd.end()
        #expect(try ask(try daemon(), "tripID=allow-1").status == 503)
    }

    @Test func `the back end is asked with the kind, the ids byte for byte, and what the request shows`() throws {
        let daemon = try daemon("fields: [Cookie, X-Tenant, X-Absent]")
        let ids = "caf%C3%A9%20%F0%9F%9A%9A%22%5C%26%3D"
        let shown = ["-H", "Cookie: a=1; b=2", "-H", "X-Tenant: one", "-H", "x-tenant: caf\u{E9}", "-H", "X-Other: no"]
        #expect(try ask(daemon, "tripID=\(ids)", shown).status == 200)
        #expect(try ask(daemon, "taskIDs=t-1,t%C3%BC", as: nil).status == 200)
        let questions = try backEnd.seen().questions
        try #require(questions.count == 2)
        #expect(questions[0].path == "/allowed?key=backend-url-canary")
        #expect(questions[0].text == "{\"kind\":\"consumer\",\"ids\":{\"tripID\":\"caf\u{E9} \u{1F69A}\\\"\\\\&=\"}}")
        #expect(questions[0].values("authorization") == ["Bearer caller-canary"])
        #expect(questions[0].values("cookie") == ["a=1; b=2"])
        // The back end reads fields as Latin-1: these are the bytes of UTF-8.
        #expect(questions[0].values("x-tenant") == ["one", "caf\u{C3}\u{A9}"])
        for name in ["x-other", "x-absent", "user-agent"] { #expect(questions[0].values(name).isEmpty) }
        #expect(questions[0].values("content-type") == ["application/json"])
        #expect(questions[0].values("x-request-id").allSatisfy { $0.count == 16 })
        #expect(questions[1].text == "{\"kind\":\"task_batch\",\"ids\":{\"taskIDs\":[\"t-1\",\"t\u{FC}\"]}}")
        #expect(questions[1].values("authorization").isEmpty)
    }

    @Test func `two proofs at once are nobody's to judge, whatever each would be worth alone`() throws {
        _ = try apiKey()
        let daemon = try daemon(more: "api_keys: {file: api-keys, field: X-API-Key}")
        for second in ["Authorization: Bearer two", "X-API-Key: x"] {
            #expect(try ask(daemon, "tripID=a", as: "one", ["-H", second]).status == 401)
        }
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `a field that is not UTF-8 proves nothing and is passed on to nobody`() throws {
        let daemon = try daemon()
        let file = files.scratch.path("latin")
        try Data(Array("Authorization: Bearer caf".utf8) + [0xE9]).write(to: URL(filePath: file))
        #expect(try ask(daemon, "tripID=a", as: nil, ["-H", "@\(file)"]).status == 401)
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `the back end may narrow a token's life, which counts from now, and never lengthens it`() throws {
        let daemon = try daemon()
        func remaining(_ query: String) throws -> (rest: Double, answer: Double) {
            let answer = try ask(daemon, "\(query)&expiration=absolute").json()
            let token = try #require(answer["TRIP_TOKEN_KEY"] as? String)
            let now = Date().timeIntervalSince1970
            let told = try #require(answer["TOKEN_EXPIRATION"] as? Double)
            return (try #require(try claims(token)["exp"] as? Double) - now, told - now)
        }
        #expect((115...121).contains(try remaining("tripID=short-1").rest))
        #expect((595...601).contains(try remaining("tripID=both-1").rest))
        #expect((3295...3301).contains(try remaining("tripID=long-1").rest))
        #expect((3295...3301).contains(try remaining("tripID=allow-1").rest))
        #expect(try remaining("tripID=second-1").rest <= 1)
        let short = try remaining("tripID=short-1")
        #expect((50...61).contains(short.answer))
    }

    @Test func `a token that lives as long as others never stands in for a narrowed one`() throws {
        let daemon = try daemon("cache_time: 0s")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        // The same trip, now with another decision, is another token.
        let long = try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String
        try backEnd.answerAll(with: 204)
        let short = try ask(daemon, "tripID=short-1").json()["TRIP_TOKEN_KEY"] as? String
        let lives = try [long, short].map { token in
            let claims = try claims(try #require(token))
            return try #require(claims["exp"] as? Int) - #require(claims["iat"] as? Int)
        }
        #expect(lives == [420, 3600])
    }

    @Test func `records name who the back end says it is`() throws {
        let audit = files.scratch.path("audit")
        let daemon = try daemon(more: "audit: {output: file, file: \(audit)}")
        for word in ["named", "allow", "deny"] { _ = try ask(daemon, "tripID=\(word)-1") }
        try daemon.end()
        let records = try files.scratch.text("audit").split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.filter { $0["outcome"] != nil }
        #expect(records.map { $0["principal"] as? String } == ["r\u{E9}n\u{E9}", "", nil])
        #expect(records.map { $0["source"] as? String } == ["forward_auth", "forward_auth", nil])
        #expect(records.map { $0["rule"] as? String } == ["riders", "riders", nil])
        #expect(records.map { $0["outcome"] as? String } == ["minted", "minted", "denied"])
    }

    @Test func `a decision is remembered for what was asked and nothing else`() throws {
        let daemon = try daemon("fields: [Cookie]")
        func asked(_ query: String, as bearer: String? = "one", _ cookie: String = "c=1") throws -> Int {
            let before = try backEnd.seen().questions.count
            for _ in 0..<3 { _ = try ask(daemon, query, as: bearer, ["-H", "Cookie: \(cookie)"]) }
            return try backEnd.seen().questions.count - before
        }
        #expect(try asked("tripID=allow-1") == 1)
        #expect(try asked("tripID=allow-1") == 0)
        #expect(try asked("tripID=allow-2") == 1)
        #expect(try asked("vehicleID=allow-1") == 1)
        #expect(try asked("tripID=allow-1", as: "two") == 1)
        #expect(try asked("tripID=allow-1", as: nil) == 1)
        #expect(try asked("tripID=allow-1", as: "one", "c=2") == 1)
        #expect(try asked("tripID=deny-1") == 1)
        #expect(try asked("tripID=unknown-1") == 1)
        // What was not decided is asked again.
        #expect(try asked("tripID=missing-1") == 3)
    }

    @Test func `without a time to remember every request is asked about`() throws {
        let daemon = try daemon("cache_time: 0s")
        for _ in 0..<5 { #expect(try ask(daemon, "tripID=allow-1").status == 200) }
        #expect(try backEnd.seen().questions.count == 5)
    }

    @Test func `five failures in a row and the back end is left alone, until a trial finds it well`() throws {
        let daemon = try daemon("cache_time: 0s")
        try backEnd.answerAll(with: 500)
        for _ in 0..<30 { #expect(try ask(daemon, "tripID=allow-1").status == 503) }
        let questions = try backEnd.seen().questions.count
        // Those beyond five are trials, if all this took longer than a second.
        #expect((5..<12).contains(questions))
        try daemon.waitForLog("the back end of forward_auth fails and is left alone")
        try backEnd.answerAll(with: 0)
        try Patience.wait(for: "the trial") { try ask(daemon, "tripID=allow-1").status == 200 }
        try daemon.waitForLog("the back end of forward_auth answers again")
        for _ in 0..<5 { #expect(try ask(daemon, "tripID=allow-1").status == 200) }
    }

    @Test func `a reload forgets what was decided, and what is being decided is still answered`() throws {
        let daemon = try daemon("timeout: 10s")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        let slow = try BackgroundCurl("\(daemon.url)/token?tripID=slow-1")
        try Patience.wait(for: "both questions") { try backEnd.seen().questions.count >= 2 }
        daemon.process.send(SIGHUP)
        try daemon.waitForLog("were reloaded")
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        #expect(try slow.status() == "200")
        #expect(try backEnd.seen().questions.count == 3)
    }

    @Test func `a drain waits for what is being decided`() throws {
        let daemon = try daemon("timeout: 10s")
        let slow = try BackgroundCurl("\(daemon.url)/token?tripID=slow-1")
        try Patience.wait(for: "the question") { try !backEnd.seen().questions.isEmpty }
        #expect(try daemon.end() == 0)
        #expect(try slow.status() == "200")
    }

    @Test func `answers that nobody understands do not keep the back end from being asked`() throws {
        let daemon = try daemon("cache_time: 0s")
        for _ in 0..<10 { #expect(try ask(daemon, "tripID=missing-1").status == 503) }
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        #expect(try backEnd.seen().questions.count == 11)
    }

    @Test func `a thousand requests at once pass through four connections`() throws {
        let daemon = try daemon("max_connections: 4, timeout: 30s", more: "http: {max_connections_per_address: 2000}")
        let facts = try PythonClients.run(
            "parallel_requests.py",
            ["127.0.0.1", daemon.port, "1000", "/token?tripID=allow-{}", "Authorization: Bearer a"]
        )
        #expect(facts["statuses"] as? [String: Int] == ["200": 1000])
        let seen = try backEnd.seen()
        #expect(seen.questions.count == 1000)
        #expect(seen.mostActive <= 4)
        #expect(seen.connections <= 4)
    }

    @Test func `a thousand equal requests at once are one question`() throws {
        let daemon = try daemon("max_connections: 4, timeout: 30s", more: "http: {max_connections_per_address: 2000}")
        let facts = try PythonClients.run(
            "parallel_requests.py",
            ["127.0.0.1", daemon.port, "1000", "/token?tripID=brief-1", "Authorization: Bearer a"])
        #expect(facts["statuses"] as? [String: Int] == ["200": 1000])
        #expect(try backEnd.seen().questions.count == 1)
    }

    @Test func `more requests than may wait are refused at once, and the others are answered`() throws {
        let daemon = try daemon(
            "max_connections: 1, max_waiting: 10, timeout: 30s", more: "http: {max_connections_per_address: 2000}")
        let facts = try PythonClients.run(
            "parallel_requests.py", ["127.0.0.1", daemon.port, "200", "/token?tripID=brief-{}"])
        let statuses = try #require(facts["statuses"] as? [String: Int])
        #expect(Set(statuses.keys) == ["200", "503"])
        #expect(try #require(statuses["200"]) >= 10)
        #expect(try backEnd.seen().questions.count == statuses["200"])
    }

    @Test func `callers who are known otherwise do not wait for a back end that does not answer`() throws {
        let key = try apiKey()
        let daemon = try daemon(
            "timeout: 1m", rules: "  - {name: dispatch, kinds: [consumer], api_keys: [dispatch], ids: {tripID: any}}",
            more: "api_keys: {file: api-keys}\nhttp: {loops: 1}")
        let stuck = try PythonClients.start(
            "parallel_requests.py", ["--hold", "127.0.0.1", daemon.port, "60", "/token?tripID=stuck-{}"])
        defer { stuck.terminate() }
        try Patience.wait(for: "32 questions at once") { try backEnd.seen().active >= 32 }
        for number in 0..<20 { #expect(try ask(daemon, "tripID=\(number)", as: key).status == 200) }
        #expect(try backEnd.seen().active == 32)
    }

    @Test func `a rule with API keys asks about their holders alone, and says who they are`() throws {
        let key = try apiKey()
        let daemon = try daemon(
            rules: "  - {name: fleet, kinds: [server], api_keys: [dispatch], forward_auth: true}",
            more: "api_keys: {file: api-keys}")
        let server = "\(daemon.url)/token/server"
        #expect(try Curl(server, ["-H", "Authorization: Bearer \(key)"]).status == 200)
        #expect(try Curl(server, ["-H", "Authorization: Bearer stranger"]).status == 401)
        #expect(try Curl(server).status == 401)
        // A key that is known to be none is disproved, whatever a back end would say.
        let forged = String(key.dropLast(4)) + "AAAA"
        #expect(try ask(daemon, "tripID=allow-1", as: forged).status == 401)
        #expect(try ask(daemon, "tripID=named-1", as: key).status == 200)
        #expect(
            try backEnd.seen().questions.map(\.text) == [
                #"{"kind":"server","ids":{},"principal":{"source":"api_key","name":"dispatch"}}"#,
                #"{"kind":"consumer","ids":{"tripID":"named-1"},"principal":{"source":"api_key","name":"dispatch"}}"#,
            ])
    }

    @Test func `an address whose proofs fail too often makes the back end work no more`() throws {
        let daemon = try daemon(
            more: "proxies: {trusted: [127.0.0.0/8]}\nlimits: {failure_burst: 5, failure_rate: 0.001}")
        func ask(_ number: Int, from address: String, _ word: String) throws -> Int {
            try self.ask(
                daemon, "tripID=\(word)-\(number)", as: "wrong-\(number)", ["-H", "X-Forwarded-For: \(address)"]
            ).status
        }
        #expect(try ask(0, from: "203.0.113.7", "allow") == 200)
        for number in 1...5 { #expect(try ask(number, from: "203.0.113.7", "unknown") == 401) }
        for number in 6...9 { #expect(try ask(number, from: "203.0.113.7", "allow") == 429) }
        #expect(try backEnd.seen().questions.count == 6)
        // What was allowed before is remembered, and others are heard.
        #expect(try ask(0, from: "203.0.113.7", "allow") == 200)
        #expect(try ask(10, from: "203.0.113.8", "allow") == 200)
    }

    @Test func `a request that is wrong in itself is told so to nobody who is unknown`() throws {
        let daemon = try daemon()
        #expect(try ask(daemon, "tripID=a&tripID=b").status == 401)
        #expect(try ask(daemon, "nonsense=1", as: nil).status == 401)
        #expect(try Curl("\(daemon.url)/token/server", ["-H", "Authorization: Bearer x"]).status == 401)
        #expect(try backEnd.seen().questions.isEmpty)
    }

    @Test func `explain asks the back end and says what it decided`() throws {
        let path = try configuration("", rules: "", more: "")
        func explain(_ trip: String) throws -> [String: Any] {
            try files.run(["explain", "--config", path, "--as", "caller-canary", "--trip", trip, "--json"]).json()
        }
        let named = try explain("named-1")
        #expect(named["allowed"] as? Bool == true)
        #expect(named["principal"] as? String == "r\u{E9}n\u{E9}")
        #expect(named["source"] as? String == "forward_auth")
        #expect(named["rule"] as? String == "riders")
        #expect(
            try explain("deny-1")["reason"] as? String
                == "the back end that the rule riders asks does not allow it (403)")
        #expect(
            try explain("missing-1")["reason"] as? String
                == "the rule riders asks a back end that decided nothing: the back end answered with the status 404; "
                + "expected 2xx, 401 or 403")
        let shown = try backEnd.seen().questions.map { $0.values("authorization") }
        #expect(shown == Array(repeating: ["Bearer caller-canary"], count: 3))
    }

    @Test func `neither what callers show nor where the back end is asked is in the log`() throws {
        let daemon = try daemon("fields: [Cookie], timeout: 300ms", more: "log: {level: trace}")
        let words = ["allow", "deny", "unknown", "error", "garbage", "broken", "moved", "slow", "drop", "torn", "huge"]
        for word in words {
            _ = try ask(daemon, "tripID=\(word)-1", as: "caller-canary", ["-H", "Cookie: cookie-canary"])
        }
        try daemon.end()
        let log = try daemon.log()
        #expect(log.contains("caller_check_unavailable"))
        for secret in ["caller-canary", "cookie-canary", "backend-url-canary", "inside", "result"] {
            #expect(!log.contains(secret))
        }
    }

    private func claims(_ token: String) throws -> [String: Any] {
        let part = try #require(token.split(separator: ".").dropFirst().first)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
        let data = try #require(Data(base64Encoded: padded))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// A new key by the name dispatch, whose line stands in the file `api-keys`.
    private func apiKey() throws -> String {
        let lines = try files.run(["api-key", "new", "dispatch"]).output.split(separator: "\n")
        try files.scratch.write("api-keys", try #require(lines.first { $0.hasPrefix("dispatch ") }) + "\n")
        return String(try #require(lines.first { $0.hasPrefix("tpk_") }))
    }
}

/// One exchange by the `curl` program that goes on while the test does.
private struct BackgroundCurl {
    private let process: Child
    private let output: OutputPipe

    init(_ url: String) throws {
        output = try OutputPipe()
        process = try Child(
            ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20", url], output: .pipe(output))
    }

    /// The status of the answer, once it is there.
    func status() throws -> String { try output.read() }
}
