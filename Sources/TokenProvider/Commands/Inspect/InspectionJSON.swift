import FleetEngineToken
import StrictJSON
import TokenInspection

/// A report for programs: one object; Commands.md lists its members. It is escaped for a terminal and does not have the
/// signature.
enum InspectionJSON {
    /// On one line.
    static func text(_ report: InspectionReport) -> String {
        var json = JSONWriter(escaping: .logLine, reserving: 1024)
        let token = report.token
        json.object { json in
            json.member("member", optional: token.member)
            json.member("header", token.header.map(JSONValue.object) ?? .null)
            json.member("claims", token.claims.map(JSONValue.object) ?? .null)
            json.key("times")
            write(token.times, to: &json)
            json.key("purpose")
            write(token.purpose, to: &json)
            json.key("signature")
            json.object { json in
                json.member("status", report.signature.status.rawValue)
                json.member("sentence", report.signature.sentence)
            }
            json.key("findings")
            json.array { json in
                for finding in report.findings { write(finding, to: &json) }
            }
            json.member("refused", report.isRefused)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ times: TokenTimes?, to json: inout JSONWriter) {
        guard let times else { return json.value(JSONValue.null) }
        json.object { json in
            let moments = [
                ("now", times.now), ("iat", times.issuedAt), ("nbf", times.notBefore), ("exp", times.expiresAt),
            ]
            for (name, seconds) in moments {
                json.key(name)
                guard let seconds else {
                    json.value(JSONValue.null)
                    continue
                }
                json.object { json in
                    json.member("seconds", seconds)
                    json.member("utc", CivilTime(clamping: seconds).rfc3339)
                }
            }
        }
    }

    private static func write(_ purpose: TokenPurpose?, to json: inout JSONWriter) {
        guard let purpose else { return json.value(JSONValue.null) }
        json.object { json in
            json.member("kinds", .array(purpose.kinds.map { .string($0.rawValue) }))
            json.member("roles", .array(purpose.kinds.compactMap(\.role).map(JSONValue.string)))
            json.member("sentence", purpose.sentence)
        }
    }

    private static func write(_ finding: TokenFinding, to json: inout JSONWriter) {
        json.object { json in
            json.member("code", finding.code)
            json.member("severity", finding.severity.rawValue)
            json.member("claim", optional: finding.claim)
            json.member("problem", finding.problem)
            json.member("fix", finding.fix)
        }
    }
}
