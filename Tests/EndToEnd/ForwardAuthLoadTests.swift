import TestSupport
import Testing

/// A back end that fails or gets many requests at once: which requests wait, are refused or are not affected.
@Suite(.blocking, .tags(.threadSanitizer)) struct ForwardAuthLoadTests: AskingBackEnd {
    let files: OperatorFiles
    let backEnd: BackEnd

    init() throws {
        files = try OperatorFiles()
        backEnd = try BackEnd()
    }

    @Test func `failures pause the back end until it recovers`() throws {
        let daemon = try daemon("cache_time: 0s")
        try backEnd.answerAll(with: 500)
        for _ in 0..<30 { #expect(try ask(daemon, "tripID=allow-1").status == 503) }
        let questions = try backEnd.seen().questions.count
        // More than five are trials, if the requests took longer than a second.
        #expect((5..<12).contains(questions))
        try daemon.waitForLog("forward_auth back end fails for most callers; pausing requests to it")
        try backEnd.answerAll(with: 0)
        try Patience.wait(for: "the trial") { try ask(daemon, "tripID=allow-1").status == 200 }
        try daemon.waitForLog("forward_auth back end answers again")
        for _ in 0..<5 { #expect(try ask(daemon, "tripID=allow-1").status == 200) }
    }

    @Test(arguments: ["unreachable", "silent"])
    func `a back end that does not answer is paused`(fault: String) throws {
        let daemon = try daemon("cache_time: 0s, timeout: 200ms")
        if fault == "unreachable" { backEnd.end() }
        for number in 0..<12 { #expect(try ask(daemon, "tripID=stuck-\(number)").status == 503) }
        try daemon.waitForLog("forward_auth back end fails for most callers; pausing requests to it")
    }

    @Test func `an address that makes the back end fail stops no other`() throws {
        let key = try apiKey()
        let daemon = try daemon(
            "cache_time: 0s", rules: "  - {name: fleet, kinds: [driver], api_keys: [dispatch], forward_auth: true}",
            more: "proxies: {trusted: [127.0.0.0/8]}\napi_keys: {file: api-keys}")
        let attacker = ["-H", "X-Forwarded-For: 203.0.113.7"]
        for round in 0..<4 {
            for number in 0..<12 {
                #expect(try ask(daemon, "tripID=error-\(round)-\(number)", as: nil, attacker).status == 503)
            }
            let honest = ["-H", "X-Forwarded-For: 203.0.113.\(10 + round)"]
            #expect(try ask(daemon, "tripID=allow-\(round)", as: "rider", honest).status == 200)
            #expect(try ask(daemon, "vehicleID=allow-\(round)", as: key, attacker).status == 200)
        }
    }

    @Test func `a slow trial of one caller does not keep others from theirs`() throws {
        let daemon = try daemon("cache_time: 0s, timeout: 1m", more: "proxies: {trusted: [127.0.0.0/8]}")
        func status(_ trip: String, _ number: Int) throws -> Int {
            try ask(daemon, "tripID=\(trip)", as: nil, ["-H", "X-Forwarded-For: 203.0.113.\(number)"]).status
        }
        for number in 1...5 { #expect(try status("error-\(number)", number) == 503) }
        try daemon.waitForLog("forward_auth back end fails for most callers; pausing requests to it")
        let slow = try PythonClients.start(
            "parallel_requests.py",
            ["--hold", "127.0.0.1", daemon.port, "1", "/token?tripID=stuck-{}", "X-Forwarded-For: 203.0.113.7"])
        defer { slow.terminate() }
        try Patience.wait(for: "the slow trial") { try backEnd.seen().active == 1 }
        // This caller failed before, so its turn comes after the pause.
        try Patience.wait(for: "another trial") { try status("allow-1", 2) == 200 }
        try daemon.waitForLog("forward_auth back end answers again")
        #expect(try backEnd.seen().active == 1)
    }

    @Test func `a caller waits for one slow question of another, not for all`() throws {
        let daemon = try daemon("timeout: 1m, max_connections: 2", more: "proxies: {trusted: [127.0.0.0/8]}")
        let slow = try PythonClients.start(
            "parallel_requests.py",
            ["--hold", "127.0.0.1", daemon.port, "8", "/token?tripID=slow-{}", "X-Forwarded-For: 203.0.113.7"])
        defer { slow.terminate() }
        try Patience.wait(for: "two questions at once") { try backEnd.seen().active == 2 }
        #expect(try ask(daemon, "tripID=allow-1", as: nil, ["-H", "X-Forwarded-For: 203.0.113.8"]).status == 200)
        let questions = try backEnd.seen().questions
        let place = try #require(questions.firstIndex { $0.text.contains("allow-1") })
        #expect(place < 5, "\(questions.map(\.text))")
    }

    @Test func `a full queue of one caller has a place for another`() throws {
        let daemon = try daemon(
            "timeout: 1m, max_connections: 1, max_waiting: 10", more: "proxies: {trusted: [127.0.0.0/8]}")
        let slow = try PythonClients.start(
            "parallel_requests.py",
            ["--hold", "127.0.0.1", daemon.port, "40", "/token?tripID=slow-{}", "X-Forwarded-For: 203.0.113.7"])
        defer { slow.terminate() }
        try daemon.waitForLog("10 requests are already waiting")
        #expect(try ask(daemon, "tripID=allow-1", as: nil, ["-H", "X-Forwarded-For: 203.0.113.8"]).status == 200)
    }

    @Test func `the back end is asked again after libcurl failed`() throws {
        let daemon = try daemon("cache_time: 0s")
        let facts = try PythonClients.run(
            "starved_client.py", ["127.0.0.1", daemon.port, "\(daemon.process.identifier)"])
        #expect(facts["starved"] as? Int == 503)
    }

    @Test func `unexpected answers do not pause requests to the back end`() throws {
        let daemon = try daemon("cache_time: 0s")
        for _ in 0..<10 { #expect(try ask(daemon, "tripID=missing-1").status == 503) }
        #expect(try ask(daemon, "tripID=allow-1").status == 200)
        #expect(try backEnd.seen().questions.count == 11)
    }

    @Test func `a drain waits for a pending decision`() throws {
        let daemon = try daemon("timeout: 10s")
        let slow = try BackgroundCurl("\(daemon.url)/token?tripID=slow-1")
        try Patience.wait(for: "the question") { try !backEnd.seen().questions.isEmpty }
        #expect(try daemon.end() == 0)
        #expect(try slow.status() == "200")
    }

    @Test func `a thousand parallel requests share four back-end connections`() throws {
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

    @Test func `a thousand identical parallel requests ask the back end once`() throws {
        let daemon = try daemon("max_connections: 4, timeout: 30s", more: "http: {max_connections_per_address: 2000}")
        let facts = try PythonClients.run(
            "parallel_requests.py",
            ["127.0.0.1", daemon.port, "1000", "/token?tripID=brief-1", "Authorization: Bearer a"])
        #expect(facts["statuses"] as? [String: Int] == ["200": 1000])
        #expect(try backEnd.seen().questions.count == 1)
    }

    @Test func `requests beyond the waiting limit are refused and the others answered`() throws {
        let daemon = try daemon(
            "max_connections: 1, max_waiting: 10, timeout: 30s", more: "http: {max_connections_per_address: 2000}")
        let facts = try PythonClients.run(
            "parallel_requests.py", ["127.0.0.1", daemon.port, "200", "/token?tripID=brief-{}"])
        let statuses = try #require(facts["statuses"] as? [String: Int])
        #expect(Set(statuses.keys) == ["200", "503"])
        #expect(try #require(statuses["200"]) >= 10)
        #expect(try backEnd.seen().questions.count == statuses["200"])
    }

    @Test func `API key callers do not wait for a stuck back end`() throws {
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

    @Test func `after many failures an address is asked about with pauses`() throws {
        let daemon = try daemon(
            more: "proxies: {trusted: [127.0.0.0/8]}\nlimits: {failure_burst: 5, failure_rate: 0.001}")
        func ask(_ number: Int, from address: String, _ word: String) throws -> Int {
            try self.ask(
                daemon, "tripID=\(word)-\(number)", as: "wrong-\(number)", ["-H", "X-Forwarded-For: \(address)"]
            ).status
        }
        #expect(try ask(0, from: "203.0.113.7", "allow") == 200)
        for number in 1...5 { #expect(try ask(number, from: "203.0.113.7", "unknown") == 401) }
        let facts = try PythonClients.run(
            "parallel_requests.py",
            ["127.0.0.1", daemon.port, "40", "/token?tripID=brief-{}", "X-Forwarded-For: 203.0.113.7"])
        #expect(facts["statuses"] as? [String: Int] == ["200": 40])
        #expect(try backEnd.seen().mostActive <= 10)
        // Other addresses do not wait, and guesses are spaced.
        #expect(try ask(10, from: "203.0.113.8", "allow") == 200)
        let began = ContinuousClock.now
        for number in 11...13 { #expect(try ask(number, from: "203.0.113.7", "unknown") == 401) }
        #expect(ContinuousClock.now - began >= .milliseconds(200))
    }

    private static let keyed = """
        api_keys: {file: api-keys}
        limits: {failure_burst: 5, failure_rate: 0.001}
        """

    @Test func `refusals count and are recorded though their clients leave`() throws {
        let (key, audit) = (try apiKey(), files.scratch.path("audit"))
        let daemon = try daemon(more: "\(Self.keyed)\naudit: {output: file, file: \(audit)}")
        let facts = try PythonClients.run(
            "leaving_clients.py",
            ["127.0.0.1", daemon.port, backEnd.port, "12", "/token?tripID=latedeny-{}", key, audit, "denied"])
        #expect(facts["recorded"] as? Bool == true)
        #expect(facts["asked"] as? Int == 5)
        #expect(facts["statuses"] as? [String: Int] == ["429": 7])
    }

    @Test func `allowances to clients that leave lock no principal out`() throws {
        let key = try apiKey()
        let daemon = try daemon(more: Self.keyed)
        #expect(try ask(daemon, "tripID=deny-1", as: key).status == 403)
        let facts = try PythonClients.run(
            "leaving_clients.py", ["127.0.0.1", daemon.port, backEnd.port, "25", "/token?tripID=late-{}", key])
        #expect(facts["asked"] as? Int == 25)
        #expect(try ask(daemon, "tripID=allow-1", as: key).status == 200)
    }

    @Test(arguments: ["streams", "patient", "hasty"])
    func `a neighbour's wrong credentials never refuse callers that the back end knows`(way: String) throws {
        let daemon = try daemon(
            more: """
                proxies: {trusted: [127.0.0.0/8]}
                limits: {failure_rate: 0.001}
                http2: {prior_knowledge: true}
                """)
        let facts = try PythonClients.run("opaque_flood.py", ["127.0.0.1", daemon.port, way])
        #expect(facts["users"] as? [String: Int] == ["200": 20], "\(facts)")
        // Garbage is not refused for garbage either, as long as each comes on a connection of its own.
        let garbage = try #require(facts["garbage"] as? [String: Int])
        #expect(Set(garbage.keys).isSubset(of: ["401"]), "\(facts)")
        // Guesses stay few at a time, and spaced.
        #expect(try backEnd.seen().mostActive <= 10)
    }
}
