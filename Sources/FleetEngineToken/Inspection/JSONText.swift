/// JSON for people at a terminal: control and format characters are always escaped.
public enum JSONText {
    /// On one line.
    public static func compact(_ value: JSONValue) -> String {
        var json = JSONWriter(escaping: .logLine)
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A name on one line, without the quotation marks.
    static func bare(_ name: JSONName) -> String {
        String(compact(.string(name.text)).dropFirst().dropLast())
    }

    /// An object with a line for each of its members, and for theirs; arrays stay on one line. The names in `first` come
    /// first, the others in the order of the alphabet.
    public static func pretty(
        _ members: [JSONName: JSONValue], first: [JSONName] = [], indentation: String = ""
    ) -> String {
        guard !members.isEmpty else { return "{}" }
        let lines = ordered(members, first: first).map { name, value in
            let text: String
            if case .object(let inner) = value {
                text = pretty(inner, indentation: indentation + "  ")
            } else {
                text = compact(value)
            }
            return "\(indentation)  \(compact(.string(name.text))): \(text)"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
    }

    /// The members in the order in which `pretty` shows them.
    static func ordered(
        _ members: [JSONName: JSONValue], first: [JSONName] = []
    ) -> [(name: JSONName, value: JSONValue)] {
        let rest = members.keys.filter { !first.contains($0) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        return (first + rest).compactMap { name in members[name].map { (name, $0) } }
    }
}
