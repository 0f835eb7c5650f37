/// Writes compact JSON text (RFC 8259) in one pass, members in the order of the calls. The caller must write one value
/// after each key and one end for each beginning; the closures of `object` and `array` do the latter.
package struct JSONWriter: Sendable {
    /// What has been written, UTF-8.
    package private(set) var bytes: [UInt8] = []
    private let escaping: JSONEscaping
    /// Whether there is a value before the next one in the same object or array.
    private var needsComma = false

    /// An empty writer with capacity for this number of bytes.
    package init(escaping: JSONEscaping = .interchange, reserving capacity: Int = 0) {
        self.escaping = escaping
        bytes.reserveCapacity(capacity)
    }

    /// The text of an object, whose members the closure writes.
    package static func object(
        escaping: JSONEscaping = .interchange, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(escaping: escaping)
        json.object(members)
        return json.bytes
    }

    /// Reserves capacity for this number of further bytes.
    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    /// An object as a value, whose members the closure writes.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// An array as a value, whose elements the closure writes.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        begin("[")
        elements(&self)
        end("]")
    }

    /// The beginning of an object as a value, for a text that is continued later.
    package mutating func beginObject() { begin("{") }

    /// The end of an object.
    package mutating func endObject() { end("}") }

    /// A member's name; its value must follow.
    package mutating func key(_ name: String) {
        separate()
        escaping.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string as a value.
    package mutating func value(_ text: String) {
        separate()
        escaping.append(text, to: &bytes)
    }

    /// An integer as a value: digits only, neither fraction nor exponent.
    package mutating func value(_ integer: Int64) {
        separate()
        bytes.append(contentsOf: String(integer).utf8)
    }

    /// `true` or `false` as a value.
    package mutating func value(_ bool: Bool) {
        literal(bool ? "true" : "false")
    }

    /// A value that was read: numbers as they were written, an object's members in the order of the alphabet.
    package mutating func value(_ json: JSONValue) {
        switch json {
        case .string(let text): value(text)
        case .integer(let integer): value(integer)
        case .bool(let bool): value(bool)
        case .null: literal("null")
        case .number(let text): literal(text)
        case .array(let elements):
            array { json in
                for element in elements { json.value(element) }
            }
        case .object(let members):
            object { json in
                for (name, value) in JSONText.ordered(members) {
                    json.key(name.text)
                    json.value(value)
                }
            }
        }
    }

    /// A string of bytes that need no escaping, copied as they are.
    package mutating func value(unescaped text: ArraySlice<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += text
        bytes.append(UInt8(ascii: "\""))
    }

    /// The compact text of another writer as a string. All else that a string may not contain is escaped in it already.
    package mutating func value(compactJSON json: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in json {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func end(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// A member that holds a string.
    package mutating func member(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// A member that holds an integer.
    package mutating func member(_ name: String, _ integer: Int64) {
        key(name)
        value(integer)
    }

    /// A member that holds `true` or `false`.
    package mutating func member(_ name: String, _ bool: Bool) {
        key(name)
        value(bool)
    }

    /// A member that holds an integer, or null.
    package mutating func member(_ name: String, optional integer: Int64?) {
        member(name, integer.map(JSONValue.integer) ?? .null)
    }

    /// A member that holds an object, whose members the closure writes.
    package mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// A member that holds an array with an object for each element, whose members the closure writes.
    package mutating func member<Element>(
        _ name: String, _ elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { json in
            for element in elements { json.object { json in members(&json, element) } }
        }
    }

    /// A member that holds a value that was made or read before.
    package mutating func member(_ name: String, _ json: JSONValue) {
        key(name)
        value(json)
    }

    /// A member that holds a string, or null.
    package mutating func member(_ name: String, optional text: String?) {
        member(name, text.map(JSONValue.string) ?? .null)
    }

    /// A member that holds an array of strings.
    package mutating func member(_ name: String, _ texts: [String]) {
        member(name, .array(texts.map(JSONValue.string)))
    }
}
