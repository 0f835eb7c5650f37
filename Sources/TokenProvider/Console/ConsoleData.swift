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

    /// The object, with the samples after a time in milliseconds of the monotonic clock.
    func json(after: Int64, at now: ServerTime) -> [UInt8] {
        let current = ConsoleSample(metrics, at: now)
        var json = JSONWriter(escaping: .logLine, reserving: 16 << 10)
        json.object { json in
            json.member("version", metrics.version)
            json.member("now", now.epochSeconds)
            json.member("started", metrics.start.epochSeconds)
            json.member("configuration_file", optional: file)
            writeHealth(at: now, to: &json)
            writeExpirations(at: now, to: &json)
            json.member("kinds", TokenKind.allCases.filter(metrics.state.signers.signs).map(\.rawValue))
            json.member("api_keys", metrics.state.callers.apiKeys?.names ?? [])
            writeLimits(to: &json)
            writeRefusals(to: &json)
            json.member("duration_bounds", .array(current.durationBounds.map(JSONValue.integer)))
            json.member("columns", current.figures.map(\.name))
            json.key("samples")
            json.array { json in
                for values in history.samples(after: after) { write(values, to: &json) }
            }
            json.key("current")
            write(current.values, to: &json)
        }
        return json.bytes
    }

    private func write(_ values: [Int64], to json: inout JSONWriter) {
        json.array { json in
            for value in values { json.value(value) }
        }
    }

    private func writeHealth(at now: ServerTime, to json: inout JSONWriter) {
        json.key("checks")
        json.array { json in
            for finding in metrics.readiness.findings(at: now) {
                json.object { json in
                    json.member("name", finding.check.rawValue)
                    json.member("failure", optional: finding.failure)
                    json.member("warning", optional: finding.warning)
                    json.member("cure", optional: finding.remedy?.cure)
                    json.member("commands", finding.remedy?.commands ?? [])
                }
            }
        }
        let reloads = metrics.reloader.history
        json.key("reload")
        json.object { json in
            json.member("successes", Int64(reloads.successes))
            json.member("failures", Int64(reloads.failures))
            json.member("errors", reloads.last.failure ?? [])
            json.member("restart_for", reloads.last.needRestart)
        }
    }

    /// The times left, by what expires: the metric `token_provider_api_key_remaining_seconds` is of an `api_key`.
    private func writeExpirations(at now: ServerTime, to json: inout JSONWriter) {
        let (beginning, end) = ("token_provider_", "_remaining_seconds")
        json.key("terms")
        json.array { json in
            for family in metrics.expirations(at: now) + metrics.remoteSigning(at: now)
            where family.name.hasSuffix(end) {
                for sample in family.samples {
                    guard case .number(.whole(let seconds)) = sample.value else { continue }
                    json.object { json in
                        json.member("kind", String(family.name.dropFirst(beginning.count).dropLast(end.count)))
                        json.member("name", sample.labels.first?.value ?? "")
                        json.member("seconds", seconds)
                    }
                }
            }
        }
        writeKeys(at: now, to: &json)
    }

    /// The fetched keys of issuers and of accounts at Google, with the seconds for which they last, and the keys that
    /// sign, which do not expire.
    private func writeKeys(at now: ServerTime, to json: inout JSONWriter) {
        let feeds = metrics.state.callers.issuers?.feeds ?? [:]
        json.key("issuer_keys")
        json.array { json in
            for (issuer, feed) in feeds.sorted(by: { $0.key < $1.key }) {
                write(issuer, (feed.figures.age, feed.timeLeft, feed.lastFailure?.detail), to: &json)
            }
        }
        let state = metrics.state
        json.key("published_keys")
        json.array { json in
            for keys in state.remote?.publishedKeys ?? [] { write(keys.account, keys.freshness, to: &json) }
        }
        json.member("signing_keys", state.signers.distinct.map(\.keyID))
        json.member("keys_read", now.epochSeconds - state.created.epochSeconds)
    }

    private func write(
        _ owner: String, _ term: (age: Int64?, left: Int64?, failure: String?), to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("name", owner)
            json.member("age", term.age.map(JSONValue.integer) ?? .null)
            json.member("seconds", term.left.map(JSONValue.integer) ?? .null)
            json.member("failure", optional: term.failure)
        }
    }

    private func writeLimits(to json: inout JSONWriter) {
        json.key("limits")
        json.object { json in
            json.member("connections", Int64(metrics.state.configuration.http.maxConnections))
            json.member("memory", limits.memory)
            json.member("processors", limits.processors.map(JSONValue.integer) ?? .null)
        }
    }

    private func writeRefusals(to json: inout JSONWriter) {
        json.key("refusals")
        json.array { json in
            for refusal in metrics.retained.refusals.latest?.all ?? [] {
                json.object { json in
                    json.member("time", refusal.time)
                    json.member("request_id", refusal.requestID)
                    json.member("code", refusal.code)
                    json.member("subject", refusal.subject)
                    json.member("reason", refusal.reason)
                }
            }
        }
    }
}
