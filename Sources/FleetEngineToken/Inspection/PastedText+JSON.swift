import StrictJSON

extension PastedText {
    /// The answer of a token endpoint, or another JSON text.
    init(json text: Substring) {
        do {
            self.init(json: try JSONValue(parsing: Array(text.utf8)))
        } catch {
            self = .other(.unreadableJSON(error))
        }
    }

    private init(json: JSONValue) {
        let strings = Self.strings(in: json, named: "")
        let tokens = strings.filter { Self.mayBeToken(Self.trimmed($0.text[...])) }
        if let token = tokens.first {
            // A driver's answer holds the same token under two names.
            let isOne = tokens.allSatisfy { $0.text.hasSameBytes(as: token.text) }
            self =
                isOne
                ? .init(line: Self.trimmed(token.text[...]), member: token.name)
                : .other(.severalTokens(in: tokens.map(\.name)))
        } else if strings.contains(where: { $0.name == "private_key" }) || Self.isKeySet(json) {
            self = .other(.keyMaterial)
        } else {
            self = .other(strings.lazy.compactMap { TokenFinding(opaque: $0.text[...]) }.first ?? .noTokenInJSON)
        }
    }

    private static func mayBeToken(_ text: Substring) -> Bool {
        (text.hasPrefix("eyJ") || text.lowercased().hasPrefix("bearer ")) && text.contains(".")
    }

    /// A JWK, or a set of them (RFC 7517).
    private static func isKeySet(_ json: JSONValue) -> Bool {
        guard case .object(let members) = json else { return false }
        return members["keys"] != nil || members["kty"] != nil
    }

    /// All strings, each with the name of the member it is in.
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
