import StrictJSON
import FleetEngineToken

extension PastedText {
    /// The answer of a token endpoint, or another JSON text.
    init(json text: Substring) {
        do {
            self.init(json: try JSONValue(parsing: Array(text.utf8)))
        } catch {
            self = .other(Self.table.unreadableJSON(error.sentence))
        }
    }

    private init(json: JSONValue) {
        let strings = Self.strings(in: json, named: "")
        let tokens = strings.filter { Self.mayBeToken(Self.trimmed($0.text[...])) }
        if let token = tokens.first {
            // A driver's answer holds the same token under two names.
            let isOne = tokens.allSatisfy { $0.text.hasSameBytes(as: token.text) }
            let names = tokens.map { Quoted.text($0.name) }.joined(separator: ", ")
            self =
                isOne
                ? .init(line: Self.trimmed(token.text[...]), member: token.name)
                : .other(Self.table.severalMembers(names))
        } else {
            self = Self.error(json) ?? .other(Self.absence(of: strings, in: json))
        }
    }

    /// Problem details (RFC 9457) as token-provider writes them; nil if the JSON is something else.
    private static func error(_ json: JSONValue) -> PastedText? {
        guard case .object(let members) = json, members["type"] == .string("about:blank"),
            case .string(let code) = members["code"], case .string(let detail) = members["detail"]
        else { return nil }
        return .error(code: code, detail: detail)
    }

    /// Why none of the strings is a token.
    private static func absence(of strings: [(name: String, text: String)], in json: JSONValue) -> TokenFinding {
        if strings.contains(where: { $0.name == "private_key" }) || isKeySet(json) { return table.keyMaterial() }
        return strings.lazy.compactMap { table.credential($0.text[...]) }.first ?? table.noTokenInJSON()
    }

    private static func mayBeToken(_ text: Substring) -> Bool {
        (text.hasPrefix("eyJ") || text.lowercased().hasPrefix("bearer ")) && text.contains(".")
    }

    /// A JWK, or a set of them (RFC 7517).
    private static func isKeySet(_ json: JSONValue) -> Bool {
        guard case .object(let members) = json else { return false }
        return members["keys"] != nil || members["kty"] != nil
    }

    /// All strings, each with the name of its member.
    private static func strings(in json: JSONValue, named name: String) -> [(name: String, text: String)] {
        switch json {
        case .string(let text): [(name, text)]
        case .array(let elements): elements.flatMap { strings(in: $0, named: name) }
        case .object(let members):
            JSONText.ordered(members).flatMap { strings(in: $0.value, named: $0.name.text) }
        default: []
        }
    }
}
