import Foundation
import TestSupport
import Testing

/// `/metrics` of the real binary.
@Suite(.blocking, .tags(.threadSanitizer)) struct MetricsTests {
    @Test func `strict parsers find equal samples in both formats, and HEAD agrees`() throws {
        let monitored = try MonitoredDaemon()
        _ = try Curl("\(monitored.daemon.url)/token?tripID=trip-1", ["-H", "X-API-Key: \(monitored.apiKey)"])
        let facts = try PythonClients.runVerifier("scrape_metrics.py", ["\(monitored.admin)/metrics"])
        #expect(try #require(facts["samples"] as? Int) > 100)
        #expect(try Curl("\(monitored.daemon.url)/metrics").status == 404)
        #expect(try Curl("\(monitored.admin)/metrics", ["-d", "a"]).status == 405)
    }

    @Test func `metrics count minted and cached tokens, and requests by label`() throws {
        let daemon = try MonitoredDaemon()
        for _ in 1...3 { #expect(try ask(daemon, "/token?tripID=trip-1") == 200) }
        #expect(try ask(daemon, "/token/consumer/trip-2") == 200)
        #expect(try ask(daemon, "/token/consumer/trip-2", ["--http2-prior-knowledge"]) == 200)
        let scrape = try Scrape(daemon.admin)
        #expect(scrape["mints_total"] == 2)
        #expect(scrape["cache_hits_total"] == 3)
        #expect(scrape["cache_misses_total"] == 2)
        #expect(scrape["cache_entries"] == 2)
        #expect(try #require(scrape["cache_bytes"]) > 1000)
        #expect(scrape["signature_duration_seconds_count"] == 2)
        #expect(try #require(scrape["signature_duration_seconds_sum"]) > 0)
        #expect(scrape.sum("requests_total", #"route="/token""#, #"kind="consumer""#, #"status="200""#) == 3)
        #expect(scrape.sum("requests_total", #"route="/token/{kind}/{id}""#, #"protocol="http/1.1""#) == 1)
        #expect(scrape.sum("requests_total", #"protocol="h2""#) == 1)
        #expect(scrape["http2_connections_total"] == 1)
        #expect(scrape.sum("request_duration_seconds_count", #"route="/token""#) == 3)
        // Each answer waits for its audit record, so the sum is never 0.
        #expect(scrape.sum("request_duration_seconds_sum", #"kind="consumer""#) > 0)
        #expect(scrape["audit_records_total"].map { $0 >= 2 } == true)
        #expect(scrape["audit_failures_total"] == 0)
        #expect(scrape["connections_accepted_total"] == 5)
    }

    @Test func `refusals are counted by credential type, problem code and limit`() throws {
        let daemon = try MonitoredDaemon()
        let statuses = try [
            ask(daemon, "/token?tripID=trip-1", key: nil), ask(daemon, "/token?tripID=trip-1", key: "tp_none"),
            ask(daemon, "/token?tripID=trip-3"), ask(daemon, "/token?tripID="), ask(daemon, "/token/none/1"),
            ask(daemon, "/nowhere"), ask(daemon, "/token?tripID=trip-1", ["--request-target", "/%"]),
            ask(daemon, "/token?tripID=trip-1", ["-H", "Authorization: Bearer \(daemon.provider.token())"], key: nil),
        ]
        #expect(statuses == [401, 401, 403, 400, 404, 404, 400, 200])
        // The principal's burst is six requests, and three of them are used.
        let limited = try (1...4).map { _ in try ask(daemon, "/token?tripID=trip-1") }
        #expect(limited.suffix(1) == [429])
        let scrape = try Scrape(daemon.admin)
        let expected = [
            ("none", "unauthenticated", 1.0), ("api_key", "invalid_credentials", 1), ("token", "accepted", 1),
        ]
        for (authenticator, result, count) in expected {
            let labels = #"{authenticator="\#(authenticator)",result="\#(result)"}"#
            #expect(scrape["authentications_total\(labels)"] == count, "\(labels)")
        }
        for code in [
            "unauthenticated", "invalid_credentials", "not_allowed", "invalid_id", "unknown_kind", "unknown_path",
        ] {
            #expect(scrape[#"problems_total{code="\#(code)"}"#] == 1, "\(code)")
        }
        #expect(scrape[#"problems_total{code="malformed_target"}"#] == 1)
        #expect(scrape[#"authorizations_total{result="not_allowed"}"#] == 1)
        #expect(scrape[#"limited_requests_total{limit="principal"}"#] == 1)
        #expect(scrape[#"requests_total{route="none",kind="none",status="400",protocol="http/1.1"}"#] == 1)
        #expect(scrape[#"requests_total{route="other",kind="none",status="404",protocol="http/1.1"}"#] == 1)
    }

    @Test func `metrics report reloads, handshakes, expiry times, fetched keys and readiness`() throws {
        let daemon = try MonitoredDaemon()
        #expect(try ask(daemon, "/token?tripID=trip-1") == 200)
        let secure = try daemon.daemon.secureURL()
        let authority = ["--cacert", daemon.authority.path, "--http1.1"]
        #expect(try Curl("\(secure)/healthz", authority).status == 200)
        #expect(try Curl("\(secure)/healthz", authority + ["--tls-max", "1.2"]).status == 200)
        daemon.daemon.process.send(SIGHUP)
        try daemon.daemon.waitForLog("was reloaded")
        var scrape = try Scrape(daemon.admin)
        #expect(scrape[#"reloads_total{outcome="success"}"#] == 1)
        #expect(scrape["last_reload_successful"] == 1)
        for version in ["TLSv1.2", "TLSv1.3"] {
            #expect(scrape[#"tls_handshakes_total{version="\#(version)",resumed="false"}"#] == 1, "\(version)")
        }
        let left = scrape.sum("certificate_remaining_seconds", "server.pem")
        #expect(left > 2 * 86_400 - 3600 && left <= 2 * 86_400)
        #expect(scrape.sum("certificate_lifetime_seconds", "server.pem") == 2 * 86_400)
        #expect(try #require(scrape[#"client_authority_remaining_seconds{authority="CN=ca"}"#]) > 86_400)
        for name in ["ca", "middle"] {
            let left = try #require(scrape[#"revocation_list_remaining_seconds{authority="CN=\#(name)"}"#])
            #expect(left > 80_000 && left < 86_401)
        }
        #expect(try #require(scrape[#"api_key_remaining_seconds{name="dispatch"}"#]) > 86_400)
        #expect(scrape[#"jwks_usable{issuer="\#(daemon.provider.url)"}"#] == 1)
        #expect(try #require(scrape[#"jwks_age_seconds{issuer="\#(daemon.provider.url)"}"#]) < 600)
        for check in ["signing", "audit", "certificates", "issuers", "serving"] {
            #expect(scrape[#"ready{check="\#(check)"}"#] == 1, "\(check)")
        }
        try daemon.files.scratch.write("api-keys", "broken\n")
        daemon.daemon.process.send(SIGHUP)
        try daemon.daemon.waitForLog("not reloaded")
        scrape = try Scrape(daemon.admin)
        #expect(scrape[#"reloads_total{outcome="failure"}"#] == 1)
        #expect(scrape["last_reload_successful"] == 0)
    }

    @Test func `process metrics agree with the operating system`() throws {
        let daemon = try MonitoredDaemon()
        let scrape = try Scrape(daemon.admin)
        let folder = "/proc/\(daemon.daemon.process.identifier)"
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
        // The scrape's own connection was open when the metric was read.
        #expect(try abs(#require(scrape["process_open_fds"]) - Double(descriptors)) <= 2)
        let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
        let resident = try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Double($0.1) }) * 1024
        #expect(try (0.5...2).contains(#require(scrape["process_resident_memory_bytes"]) / resident))
        #expect(try #require(scrape["process_cpu_seconds_total"]) > 0)
        #expect(try abs(#require(scrape["process_start_time_seconds"]) - Date().timeIntervalSince1970) < 600)
        #expect(scrape.sum("loop_lag_seconds") < 60)
        let version = try Program.mustRun(Program.daemon, ["--version"]).dropLast()
        #expect(scrape[#"build_info{version="\#(version)"}"#] == 1)
    }

    @Test func `random requests add no labels, and scrapes hold no credentials or ids`() throws {
        let monitored = try MonitoredDaemon()
        let daemon = monitored.daemon
        let before = try labels(monitored)
        _ = try PythonClients.run("random_bytes.py", ["127.0.0.1", daemon.port, "2000", "--seed", "7"])
        let token = try monitored.provider.token()
        for canary in ["canary", "x-canary-1"] {
            for path in [
                "/\(canary)", "/token/\(canary)/1", "/token?tripID=\(canary)", "/token?\(canary)=1",
                "/token/driver/\(canary)",
            ] {
                _ = try Curl("\(daemon.url)\(path)", ["-H", "X-API-Key: \(canary)", "-X", "CANARY"])
                _ = try Curl(
                    "\(daemon.url)\(path)", ["-H", "Authorization: Bearer \(canary)", "-H", "Host: \(canary)"])
                _ = try Curl("\(daemon.url)\(path)", ["-H", "Authorization: Bearer \(token)"])
            }
        }
        let given = try Curl("\(daemon.url)/token?tripID=trip-1", bearer: token).json()["TRIP_TOKEN_KEY"] as? String
        let after = try labels(monitored)
        let words = ["status", "code", "result", "le"]
        for (label, values) in after where !words.contains(label) {
            #expect(
                values.subtracting(before[label] ?? []).subtracting(["other", "none", "h2", "/healthz"]) == [],
                "\(label)")
        }
        #expect(after["status"]?.allSatisfy { Int($0) != nil } == true)
        #expect(try #require(after["code"]).count < 60)
        let scrape = try Scrape(monitored.admin)
        #expect(scrape.count < 1500)
        let secrets = [token, monitored.apiKey, given ?? "", "canary", "CANARY", "trip-1", "user-1"]
        for format in ["text/plain", "application/openmetrics-text"] {
            let text = try Curl("\(monitored.admin)/metrics", ["-H", "Accept: \(format)"]).body
            for secret in secrets where !secret.isEmpty { #expect(!text.contains(secret), "\(secret)") }
        }
    }

    private func labels(_ daemon: MonitoredDaemon) throws -> [String: Set<String>] {
        let facts = try PythonClients.runVerifier("scrape_metrics.py", ["\(daemon.admin)/metrics"])
        return try #require(facts["labels"] as? [String: [String]]).mapValues { Set($0) }
    }

    /// Requests the target with the daemon's API key unless `key` is given, and returns the status.
    private func ask(
        _ daemon: MonitoredDaemon, _ target: String, _ arguments: [String] = [], key: String? = "its own"
    ) throws -> Int {
        let shown = key == "its own" ? daemon.apiKey : key
        let field = shown.map { ["-H", "X-API-Key: \($0)"] } ?? []
        return try Curl(daemon.daemon.url + target, field + arguments).status
    }
}
