import FleetEngineToken
import HTTPServer
import StrictJSON
import TokenService

/// What the console shows, as one JSON object: nothing in it is a token, a key or a secret.
struct ConsoleData: Sendable {
    let metrics: DaemonMetrics
    let history: ConsoleHistory
    /// The configuration's file; nil without one.
    let file: String?
    let limits = ResourceLimits()

    /// The bytes that a question of the console may have: a header line in base64url, less 64 bytes for the header's name.
    private static let maxInput = Int64(HTTPLimits().maxLine - 64) * 3 / 4

    /// The object, with the samples after a time in milliseconds of the monotonic clock.
    func json(after: Int64, at now: ServerTime) -> [UInt8] {
        let current = ConsoleSample(metrics, at: now)
        return JSONWriter.object(escaping: .logLine) { json in
            json.member("version", metrics.version)
            json.member("now", now.epochSeconds)
            json.member("started", metrics.start.epochSeconds)
            json.member("configuration_file", optional: file)
            json.member("outgoing", metrics.state.callers.egress.way)
            writeHealth(at: now, to: &json)
            writeExpirations(at: now, to: &json)
            json.member("kinds", TokenKind.allCases.filter(metrics.state.signers.signs).map(\.rawValue))
            json.member("api_keys", metrics.state.callers.apiKeys?.names ?? [])
            json.member("limits") { json in
                json.member("connections", Int64(metrics.state.configuration.http.maxConnections))
                json.member("memory", limits.memory)
                json.member("input", Self.maxInput)
                json.member("processors", optional: limits.processors)
            }
            json.member("log_ids", metrics.state.configuration.log.ids.rawValue)
            json.member("refusals", metrics.retained.refusals.latest?.all ?? []) { json, refusal in
                json.member("time", refusal.time)
                json.member("request_id", refusal.requestID)
                json.member("code", refusal.code)
                json.member("subject", refusal.subject)
                json.member("caller", optional: refusal.caller)
                json.member("client", optional: refusal.client)
                json.member("reason", refusal.reason)
            }
            json.member("duration_bounds", .array(current.durationBounds.map(JSONValue.integer)))
            json.member("columns", current.figures.map(\.name))
            json.key("samples")
            json.array { json in
                for values in history.samples(after: after) { write(values, to: &json) }
            }
            json.key("current")
            write(current.values, to: &json)
        }
    }

    private func write(_ values: [Int64], to json: inout JSONWriter) {
        json.array { json in
            for value in values { json.value(value) }
        }
    }

    private func writeHealth(at now: ServerTime, to json: inout JSONWriter) {
        let findings = metrics.readiness.findings(at: now)
        json.member("warnings", metrics.readiness.warnings(findings, at: now.epochSeconds))
        json.member("checks", findings) { json, finding in
            json.member("name", finding.check.rawValue)
            json.member("failure", optional: finding.failure)
            json.member("warning", optional: finding.warning)
            json.member("cure", optional: finding.remedy?.cure)
            json.member("commands", finding.remedy?.commands ?? [])
        }
        let reloads = metrics.reloader.history
        json.member("reload") { json in
            json.member("successes", Int64(reloads.successes))
            json.member("failures", Int64(reloads.failures))
            json.member("time", optional: reloads.time)
            json.member("errors", reloads.last.failure ?? [])
            json.member("restart_for", reloads.last.needRestart)
        }
    }

    /// The seconds left: of what expires, and of the fetched keys of issuers and of accounts at Google. Keys that sign do
    /// not expire.
    private func writeExpirations(at now: ServerTime, to json: inout JSONWriter) {
        let terms = metrics.expirations(at: now).flatMap { term in term.left.map { (term.kind, $0) } }
        json.member("terms", terms) { json, term in
            json.member("kind", term.0)
            json.member("name", term.1.name)
            json.member("seconds", term.1.seconds)
            json.member("due", term.1.isDue)
        }
        let state = metrics.state
        let feeds = (state.callers.issuers?.sortedFeeds ?? []).map { feed in
            (
                name: feed.issuer, age: feed.figures.age, left: feed.timeLeft, failure: feed.lastFailure?.detail,
                skipped: feed.shortcomings
            )
        }
        let published = (state.remote?.publishedKeys ?? []).map { keys in
            (
                name: keys.account, age: keys.freshness.age, left: keys.freshness.left,
                failure: keys.freshness.failure, skipped: String?.none
            )
        }
        for (name, all) in [("issuer_keys", feeds), ("published_keys", published)] {
            json.member(name, all) { json, keys in
                json.member("name", keys.name)
                json.member("age", optional: keys.age)
                json.member("seconds", optional: keys.left)
                json.member("failure", optional: keys.failure)
                json.member("skipped", optional: keys.skipped)
            }
        }
        json.member("signing_keys", state.signers.distinct.map(\.keyID))
        json.member("keys_read", now.epochSeconds - state.created.epochSeconds)
    }
}
