/// JSON for people at a terminal: control and format characters are always escaped.
package enum JSONText {
    /// On one line.
    package static func compact(_ value: JSONValue) -> String {
        var json = JSONWriter(escaping: .logLine)
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// An object on one line, whose members the closure writes.
    package static func object(_ members: (inout JSONWriter) -> Void) -> String {
        String(decoding: JSONWriter.object(escaping: .logLine, members), as: UTF8.self)
    }

    /// A name on one line, without the quotation marks.
    package static func bare(_ name: JSONName) -> String {
        String(compact(.string(name.text)).dropFirst().dropLast())
    }

    /// An object with a line for each member, including those of nested objects. The names in `first` come first, the
    /// others in alphabetical order.
    package static func pretty(_ members: JSONObject, first: [JSONName] = []) -> String {
        pretty(members, first: first, indentation: "")
    }

    /// A value with a line for each member of its objects. Arrays without objects stay on one line.
    package static func pretty(_ value: JSONValue) -> String { pretty(value, indentation: "") }

    private static func pretty(_ value: JSONValue, indentation: String) -> String {
        switch value {
        case .object(let members): return pretty(members, first: [], indentation: indentation)
        case .array(let elements) where elements.contains(where: \.isObject):
            let lines = elements.map { "\(indentation)  \(pretty($0, indentation: indentation + "  "))" }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        default: return compact(value)
        }
    }

    private static func pretty(
        _ members: JSONObject, first: [JSONName], indentation: String
    ) -> String {
        guard !members.isEmpty else { return "{}" }
        let lines = ordered(members, first: first).map { name, value in
            "\(indentation)  \(compact(.string(name.text))): \(pretty(value, indentation: indentation + "  "))"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
    }

    /// The members in the order in which `pretty` shows them.
    package static func ordered(
        _ members: JSONObject, first: [JSONName] = []
    ) -> [(name: JSONName, value: JSONValue)] {
        let rest = members.names.filter { !first.contains($0) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        return (first + rest).compactMap { name in members[name].map { (name, $0) } }
    }
}

extension JSONValue {
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
