import StrictJSON

extension JSONWriter {
    /// A member with a value that was made or read before.
    mutating func member(_ name: String, _ json: JSONValue) {
        key(name)
        value(json)
    }

    /// A member that holds a string, or null.
    mutating func member(_ name: String, optional text: String?) {
        member(name, text.map(JSONValue.string) ?? .null)
    }

    /// A member that holds an array of strings.
    mutating func member(_ name: String, _ texts: [String]) {
        member(name, .array(texts.map(JSONValue.string)))
    }
}
