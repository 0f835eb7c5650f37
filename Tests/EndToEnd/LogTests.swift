import TestSupport
import Foundation
import Testing

/// What the daemon logs, and what it never logs.
@Suite(.blocking) struct LogTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    @Test(arguments: ["text", "json"])
    func `keys, tokens, ids and Authorization headers never reach log or output`(format: String) throws {
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, flags: ["--log-level", "trace", "--log-format", format])
        let answer = try Curl("\(daemon.url)/token?tripID=canary-id", ["-H", "Authorization: Bearer canary-secret"])
        let token = try #require(try answer.json()["TRIP_TOKEN_KEY"] as? String)
        _ = try Curl("\(daemon.url)/token?tripID=canary-id,", ["-H", "Authorization: Bearer canary-secret"])
        _ = try Curl("\(daemon.url)/token/driver/canary-path?canary-query=1")
        #expect(try daemon.end() == 0)
        let log = try daemon.log() + daemon.said
        #expect(log.contains("request"))
        for secret in ["canary-id", "canary-path", "canary-secret", "canary-query", String(token.suffix(40))] {
            #expect(!log.contains(secret), "the log holds \(secret)")
        }
        for line in key.pem.split(separator: "\n") { #expect(!log.contains(line)) }
    }

    @Test func `a JSON access line describes the request and digests its id`()
        throws
    {
        let daemon = try DaemonProcess(scratch: scratch, key: key, flags: ["--log-format", "json"])
        let first = try Curl("\(daemon.url)/token?tripID=trip-1")
        _ = try Curl("\(daemon.url)/token?tripID=trip-1")
        #expect(try daemon.end() == 0)
        let lines = try daemon.log().split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let requests = lines.filter { $0["message"] as? String == "request" }
        #expect(requests.count == 2)
        let line = try #require(requests.first)
        #expect(line["method"] as? String == "GET")
        #expect(line["path"] as? String == "/token")
        #expect(line["status"] as? Int == 200)
        #expect(line["duration_us"] is Int)
        #expect(line["bytes"] as? Int == first.body.utf8.count)
        #expect(line["request_id"] as? String == first.fields["x-request-id"])
        let id = try #require(line["id"] as? String)
        #expect(id.wholeMatch(of: /consumer:[0-9a-f]{16}/) != nil)
        #expect(requests.last?["id"] as? String == id)
    }

    @Test func `an unknown path is logged as a keyed digest`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        // An unknown path may hold an id.
        let paths = ["/api/token/consumer/canary", "/token/canary", "/token%2Fcanary", "/canary", "/canary"]
        for path in paths { #expect(try Curl("\(daemon.url)\(path)").status == 404) }
        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        let digests = log.matches(of: /path=(unknown:[0-9a-f]{16}) status=404/).map { String($0.1) }
        #expect(digests.count == paths.count && Set(digests).count == Set(paths).count && digests[3] == digests[4])
        #expect(!log.contains("canary"))
    }

    @Test func `with log.ids plain, unknown paths are logged up to the id`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_LOG_IDS": "plain"])
        let long = String(repeating: "a", count: 200)
        for path in [
            "/tokens%2F?canary=1", "/", "/\(long)", "/token/rider/canary", "/token/driver/canary/x", "/tpk_canary",
            "/%74pk_canary", "/token/%74pk_canary/x", "/eyJcanary",
        ] {
            #expect(try Curl("\(daemon.url)\(path)").status == 404)
        }
        // Refused before its path was parsed.
        #expect(try Curl("\(daemon.url)/token?tripID=%zz").status == 400)
        #expect(try daemon.end() == 0)
        let log = try daemon.log()
        let paths = log.matches(of: /info request method=\S+ path=(\S+) status=4/).map { String($0.1) }
        #expect(
            paths == [
                "/tokens%2F", "/", "\"/\(long.prefix(127))…\"", "\"/token/rider…\"", "/token", "-", "-", "-", "-", "-",
            ])
        #expect(!log.contains("canary"))
    }

    @Test func `quotation marks in the reason of a text line are escaped`() throws {
        let daemon = try DaemonProcess(
            ["serve", "--listen", "0.0.0.0:0", "--credentials", key.path, "--callers", "none"], scratch: scratch)
        #expect(try daemon.end() == 0)
        #expect(
            try daemon.log().contains(
                #"reason="--callers: \"none\" gives a token to every client that can reach \"0.0.0.0:0\"; "#
                    + "expected issuers, api_keys.file, tls.client_ca_file or forward_auth.url\"\n"))
    }

    @Test func `with log.ids plain, hostile characters of ids are escaped`() throws {
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_LOG_IDS": "plain"])
        // U+202E reverses the direction of text.
        #expect(try Curl("\(daemon.url)/token?tripID=a%E2%80%AEb").status == 200)
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("id=\"consumer:a\\u202eb\""))
    }

    @Test(arguments: ["", "1"])
    func `every line has time and level, in colour on terminals without NO_COLOR`(plain: String) throws {
        let line = /(?m)^\d{4}-\d\d-\d\dT[\d:.]{12}Z (info|notice|warning) [a-z].*$/
        let daemon = try DaemonProcess(scratch: scratch, key: key, environment: DaemonProcess.withAdmin)
        _ = try Curl("\(daemon.url)/token?tripID=a")
        #expect(try daemon.end() == 0)
        for text in try [daemon.said, daemon.log()] {
            #expect(text.matches(of: line).count == text.split(separator: "\n").count, "\(text)")
        }
        let serve = ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path, "--callers", "none"]
        let terminal = try PythonClients.run(
            "terminal.py", ["80", "env", "TOKEN_PROVIDER_ADMIN_LISTEN=", "NO_COLOR=\(plain)", Program.daemon] + serve)
        let shown = try #require(terminal["text"] as? String)
        #expect(shown.contains("Z \(plain.isEmpty ? "\u{1B}[32minfo\u{1B}[0m" : "info") listening on http"))
        #expect(shown.contains("Z \(plain.isEmpty ? "\u{1B}[32mnotice\u{1B}[0m" : "notice") stopped\n"))
        #expect(terminal["status"] as? Int == 0)
    }

    @Test func `access lines can be turned off and sampled`() throws {
        let off = try DaemonProcess(scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_LOG_ACCESS": "false"])
        _ = try Curl("\(off.url)/token?tripID=a")
        #expect(try off.end() == 0)
        #expect(try !off.log().contains("request"))
        let sampled = try DaemonProcess(
            scratch: scratch, key: key, environment: ["TOKEN_PROVIDER_LOG_ACCESS_SAMPLE": "5"])
        for number in 1...10 { _ = try Curl("\(sampled.url)/token?tripID=\(number)") }
        #expect(try sampled.end() == 0)
        #expect(try sampled.log().components(separatedBy: " request ").count - 1 == 2)
    }

    @Test func `an unread log delays no request, and dropped lines are counted`() throws {
        let daemon = try DaemonProcess(
            unreadLog: ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path], scratch: scratch)
        let facts = try PythonClients.run("many_requests.py", ["127.0.0.1", daemon.port, "20000"])
        #expect(facts["answered"] as? Int == 20000)
        let (status, log) = try daemon.endReadingLog()
        #expect(status == 0)
        let lines = log.split(separator: "\n")
        let written = lines.filter { $0.contains(" info request method=GET path=/token status=200 ") }.count
        let dropped = lines.compactMap { $0.firstMatch(of: /Z warning log lines were dropped: .* count=(\d+)$/) }
            .compactMap { Int($0.1) }.reduce(0, +)
        #expect(written > 0)
        #expect(dropped > 0)
        // A few dropped lines may be about something other than a request.
        #expect((20000...20005).contains(written + dropped))
    }
}
