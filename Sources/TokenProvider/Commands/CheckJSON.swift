import FleetEngineToken

/// A check's report for programs: one object; the help of `check` names its members. What could disturb a terminal is
/// escaped.
enum CheckJSON {
    /// On one line.
    static func text(_ report: CheckReport) -> String {
        var json = JSONWriter(escaping: .logLine, reserving: 2048)
        json.object { json in
            json.member("starts", report.errors.isEmpty)
            json.key("errors")
            json.value(strings(report.errors))
            json.key("warnings")
            json.value(strings(report.warnings))
            json.key("listen")
            json.value(report.served.map { strings($0.listen.map(\.url)) } ?? .null)
            json.key("kinds")
            guard let kinds = report.served?.kinds else { return json.value(JSONValue.null) }
            json.array { json in
                for kind in kinds { write(kind, to: &json) }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    private static func write(_ checked: CheckedKind, to json: inout JSONWriter) {
        var members: [(name: String, value: JSONValue?)] = [
            ("kind", .string(checked.kind.rawValue)), ("role", checked.kind.role.map(JSONValue.string)),
        ]
        switch checked.state {
        case .on(let account, let keyID, let file, let lifetime):
            members += [
                ("state", .string("on")), ("account", .string(account)), ("kid", .string(keyID)),
                ("file", .string(file)), ("lifetime", .integer(lifetime)), ("settings", nil),
            ]
        case .off(let absence):
            members += [
                ("state", .string("off")), ("account", nil), ("kid", nil), ("file", nil), ("lifetime", nil),
                ("settings", .array(absence.settings(of: checked.kind).map(JSONValue.string))),
            ]
        case .broken(let file):
            members += [
                ("state", .string("broken")), ("account", nil), ("kid", nil), ("file", .string(file)),
                ("lifetime", nil), ("settings", nil),
            ]
        }
        json.object { json in
            for (name, value) in members {
                json.key(name)
                json.value(value ?? .null)
            }
        }
    }
}
