import FleetEngineToken
import StrictJSON

extension CheckReport {
    /// For programs: one object on one line, whose members Commands.md lists. Characters that could disturb a terminal are
    /// escaped.
    var json: String {
        JSONText.object { json in
            json.member("starts", errors.isEmpty)
            json.member("service", optional: service)
            json.member("errors", errors + outages)
            json.member("warnings", warnings)
            json.member("fetched", ways)
            guard let served else {
                for name in ["listen", "admin", "signing", "memory", "kinds"] { json.member(name, JSONValue.null) }
                return
            }
            json.member("listen", served.urls)
            json.member("admin", served.admin)
            json.member("signing", served.signing)
            json.member("memory") { json in
                json.member("limit", Int64(served.memory.limit.bytes))
                json.member("clients", Int64(served.memory.clients.total))
                json.member("sum", Int64(served.memory.sum))
            }
            json.member("kinds", served.kinds) { json, checked in
                json.member("kind", checked.kind.rawValue)
                json.member("role", optional: checked.kind.role)
                json.member("state", checked.state.rawValue)
                json.member("account", optional: checked.account)
                json.member("kid", optional: checked.keyID)
                json.member("file", optional: checked.file)
                json.member("lifetime", optional: checked.lifetime)
                let settings = checked.absence?.settings(of: checked.kind).map(JSONValue.string)
                json.member("settings", settings.map(JSONValue.array) ?? .null)
            }
        }
    }
}
