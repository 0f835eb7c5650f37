import TestSupport
import Foundation
import Testing

/// The shipped alert rules and dashboard, with a real Prometheus and the real daemon's metrics.
@Suite(.blocking) struct PrometheusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")
    private static let rules = folder.appending(path: "prometheus/rules.yaml").path

    @Test func `alert rules are valid and fire exactly when they should`() throws {
        try Program.mustRun("promtool", ["check", "rules", "--lint-fatal", Self.rules])
        try Program.mustRun(
            "promtool", ["test", "rules", Self.folder.appending(path: "prometheus/rules_test.yaml").path])
        try Program.mustRun(
            "promtool", ["check", "config", Self.folder.appending(path: "prometheus/prometheus.yaml").path])
    }

    @Test func `each alert has tests for firing and silence, and a runbook entry`() throws {
        let rules = try text("prometheus/rules.yaml")
        let tests = try text("prometheus/rules_test.yaml")
        let runbook = try text("../Sources/TokenProvider/Documentation.docc/Runbook.md")
        let base = try #require(rules.firstMatch(of: /^# Runbook: (https:\S+\/Runbook\.md)\n/)).1
        let alerts = rules.matches(of: /alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count > 15)
        for alert in alerts {
            #expect(
                tests.contains("name: \(alert) fires\n") && tests.contains("name: \(alert) is silent\n"), "\(alert)")
            #expect(rules.contains("runbook_url: \(base)#\(alert.lowercased())\n"), "\(alert)")
            #expect(runbook.contains("\n### \(alert)\n\n- You see: "), "\(alert)")
        }
    }

    @Test func `one command leads every alert to another runbook`() throws {
        let scratch = try Scratch()
        let other = "https://wiki.example.com/fleet"
        for name in ["rules.yaml", "rules_test.yaml"] {
            let text = try text("prometheus/\(name)")
            try scratch.write(name, text.replacing(/^# Runbook: .*/, with: "# Runbook: \(other)", maxReplacements: 1))
        }
        let command = try #require(try text("prometheus/rules.yaml").firstMatch(of: /\n#   (sed .*)\n/)).1
        try Program.mustRun("sh", ["-c", "cd \"$0\" && \(command)", scratch.folder.path])
        let rules = try scratch.text("rules.yaml")
        #expect(rules.matches(of: /\n +runbook_url: (\S+)#/).allSatisfy { $0.1 == other })
        try Program.mustRun("promtool", ["test", "rules", scratch.path("rules_test.yaml")])
    }

    @Test func `promtool reports nothing about a scrape`() throws {
        let daemon = try MonitoredDaemon()
        let scrape = try Scrape(daemon.admin).text
        let outcome = try Program.run("promtool", ["check", "metrics"], input: scrape)
        #expect(outcome.status == 0)
        #expect(outcome.output + outcome.errors == "")
    }

    @Test func `Prometheus has every metric that the rules and the dashboard use`() throws {
        let monitored = try MonitoredDaemon()
        let target = "\(monitored.daemon.url)/token?tripID=trip-1"
        for _ in 1...2 { #expect(try Curl(target, ["-H", "X-API-Key: \(monitored.apiKey)"]).status == 200) }
        let prometheus = try PrometheusServer(
            scraping: String(#require(monitored.admin.split(separator: "/").last)), rules: Self.rules,
            in: monitored.files.scratch)
        try Patience.wait(for: "a scrape") {
            try prometheus.count(of: #"up{job="token-provider"} == 1"#) == 1
        }
        let names = try namedMetrics()
        #expect(names.count > 40)
        for name in names.sorted() {
            try Patience.wait(for: name) { try prometheus.count(of: name) > 0 }
        }
        #expect(try prometheus.count(of: "token_provider_mints_total == 1") == 1)
        #expect(try prometheus.count(of: "token_provider_cache_hits_total == 1") == 1)
        for query in try panelQueries() {
            // Queries with a filter are valid, but find nothing while all is well.
            let isFiltered = query.contains(#/ (?:>|==) 0\)?$/#)
            let found = try prometheus.count(of: query)
            #expect(found > 0 || isFiltered, "\(query)")
        }
        // A healthy daemon fires no alert, although its certificate is valid for two days only.
        #expect(try prometheus.count(of: #"ALERTS{severity="page", alertstate="firing"}"#) == 0)
        #expect(try prometheus.count(of: #"ALERTS{alertname=~"TokenProviderCertificate.*"}"#) == 0)
        let health = try prometheus.rulesHealth()
        #expect(health.count > 20 && health.allSatisfy { $0 == "ok" })
    }

    /// The queries of the dashboard's panels, with the variables set to match every daemon.
    private func panelQueries() throws -> [String] {
        let dashboard = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Self.folder.appending(path: "grafana/token-provider.json")))
        let panels = try #require((dashboard as? [String: Any])?["panels"] as? [[String: Any]])
        let queries = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
        #expect(queries.count > 40)
        return queries.map { query in
            query.replacing("$__rate_interval", with: "1m").replacing(/\$(?:job|instance)/, with: ".*")
        }
    }

    /// The daemon's metrics, and those recorded from them, that the rules and the dashboard use.
    private func namedMetrics() throws -> Set<String> {
        let pattern = /\b(?:job:)?(?:token_provider|process)_[a-z0-9_]+(?::[a-z0-9_]+)?\b/
        let expressions = try panelQueries() + [text("prometheus/rules.yaml")]
        return Set(expressions.flatMap { $0.matches(of: pattern).map { String($0.0) } })
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
    }
}

/// A Prometheus server on a free port; killed when its owner is released.
private final class PrometheusServer {
    private let process: Child
    private let log: OutputPipe
    private let url: String

    /// Scrapes a target every second and evaluates the rules.
    init(scraping target: String, rules: String, in scratch: Scratch) throws {
        let configuration = try scratch.write(
            "prometheus.yaml",
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ["\(rules)"]
            scrape_configs:
              - {job_name: token-provider, static_configs: [{targets: ["\(target)"]}]}

            """)
        log = try OutputPipe()
        process = try Child(
            [
                "prometheus", "--config.file=\(configuration)", "--storage.tsdb.path=\(scratch.path("tsdb"))",
                "--web.listen-address=127.0.0.1:0",
            ],
            output: .file("/dev/null"), errors: .pipe(log))
        let said = try log.read { $0.contains(Self.listening) }
        let url = try "http://\(#require(said.firstMatch(of: Self.listening), "it said: \(said)").1)"
        self.url = url
        // Prometheus listens before it is ready to answer.
        try Patience.wait(for: "a ready Prometheus") { try Curl("\(url)/-/ready").status == 200 }
    }

    private static var listening: Regex<(Substring, Substring)> { /msg="Listening on" address=(\S+)\n/ }

    /// The number of series that a query finds.
    func count(of query: String) throws -> Int {
        let answer = try Curl("\(url)/api/v1/query", ["-G", "--data-urlencode", "query=\(query)"]).json()
        try #require(answer["status"] as? String == "success", "\(query): \(answer)")
        return try #require((answer["data"] as? [String: Any])?["result"] as? [Any]).count
    }

    /// The health of each rule's last evaluation.
    func rulesHealth() throws -> [String] {
        let answer = try Curl("\(url)/api/v1/rules").json()
        let groups = try #require((answer["data"] as? [String: Any])?["groups"] as? [[String: Any]])
        return groups.flatMap { $0["rules"] as? [[String: Any]] ?? [] }.compactMap { $0["health"] as? String }
    }
}
