import FleetEngineToken
import StrictJSON

/// A check's report for programs: one object, whose members Commands.md lists. Characters that could disturb a
/// terminal are escaped.
enum CheckJSON {
    /// On one line.
    static func text(_ report: CheckReport) -> String {
        var json = JSONWriter(escaping: .logLine, reserving: 2048)
        json.object { json in
            json.member("starts", report.errors.isEmpty)
            json.member("errors", report.errors)
            json.member("warnings", report.warnings)
            json.member("listen", report.served.map { strings($0.urls) } ?? .null)
            json.member("admin", report.served.map { strings($0.admin) } ?? .null)
            json.member("signing", optional: report.served?.signing)
            json.key("memory")
            write(report.served?.memory, to: &json)
            json.key("kinds")
            guard let kinds = report.served?.kinds else { return json.value(JSONValue.null) }
            json.array { json in
                for kind in kinds { write(kind, to: &json) }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    private static func write(_ plan: MemoryPlan?, to json: inout JSONWriter) {
        guard let plan else { return json.value(JSONValue.null) }
        json.object { json in
            for (name, bytes) in [("limit", plan.limit.bytes), ("clients", plan.clients.total), ("sum", plan.sum)] {
                json.key(name)
                json.value(JSONValue.integer(Int64(bytes)))
            }
        }
    }

    private static func write(_ checked: CheckedKind, to json: inout JSONWriter) {
        let state = members(of: checked)
        json.object { json in
            json.member("kind", checked.kind.rawValue)
            json.member("role", optional: checked.kind.role)
            for name in ["state", "account", "kid", "file", "lifetime", "settings"] {
                json.member(name, state[name] ?? .null)
            }
        }
    }

    /// The members of a state, by name.
    private static func members(of checked: CheckedKind) -> [String: JSONValue] {
        switch checked.state {
        case .on(let account, let keyID, let file, let lifetime):
            [
                "state": .string("on"), "account": .string(account), "kid": .string(keyID), "file": .string(file),
                "lifetime": .integer(lifetime),
            ]
        case .remote(let account, let source, _, let lifetime):
            [
                "state": .string("on"), "account": account.map(JSONValue.string) ?? .null, "file": .string(source),
                "lifetime": .integer(lifetime),
            ]
        case .off(let absence):
            ["state": .string("off"), "settings": strings(absence.settings(of: checked.kind))]
        case .broken(let file): ["state": .string("broken"), "file": .string(file)]
        }
    }
}
