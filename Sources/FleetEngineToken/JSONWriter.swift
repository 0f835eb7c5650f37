/// Writes JSON text (RFC 8259) in one pass, compact, members in the order they are given. Its caller sees to it that
/// each key is followed by one value and each beginning by its end; the closures of `object` and `array` do the latter.
public struct JSONWriter: Sendable {
    /// What has been written, UTF-8.
    public private(set) var bytes: [UInt8] = []
    private let escaping: JSONEscaping
    /// Whether a value stands before the next one in the same object or array.
    private var needsComma = false

    /// An empty writer, with room for so many bytes.
    public init(escaping: JSONEscaping = .interchange, reserving room: Int = 0) {
        self.escaping = escaping
        bytes.reserveCapacity(room)
    }

    /// Makes room for so many bytes more.
    public mutating func reserve(_ room: Int) {
        bytes.reserveCapacity(bytes.count + room)
    }

    /// An object as a value, whose members the closure writes.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// An array as a value, whose elements the closure writes.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        begin("[")
        elements(&self)
        end("]")
    }

    /// The beginning of an object as a value, for a text that is continued later.
    public mutating func beginObject() { begin("{") }

    /// The end of an object.
    public mutating func endObject() { end("}") }

    /// A member's name; its value must follow.
    public mutating func key(_ name: String) {
        separate()
        escaping.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string as a value.
    public mutating func value(_ text: String) {
        separate()
        escaping.append(text, to: &bytes)
    }

    /// An integer as a value: digits only, neither fraction nor exponent.
    public mutating func value(_ integer: Int64) {
        separate()
        bytes.append(contentsOf: String(integer).utf8)
    }

    /// `true` or `false` as a value.
    public mutating func value(_ bool: Bool) {
        literal(bool ? "true" : "false")
    }

    /// A value that was read: numbers as they were written, an object's members in the order of the alphabet.
    public mutating func value(_ json: JSONValue) {
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

    /// A token as a string: base64url and dots, copied as they are.
    public mutating func value(_ token: MintedToken) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += token.jwt
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
}

extension JSONWriter {
    /// A member that holds a string.
    public mutating func member(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// A member that holds an integer.
    public mutating func member(_ name: String, _ integer: Int64) {
        key(name)
        value(integer)
    }

    /// A member that holds `true` or `false`.
    public mutating func member(_ name: String, _ bool: Bool) {
        key(name)
        value(bool)
    }

    /// A member that holds a token.
    public mutating func member(_ name: String, _ token: MintedToken) {
        key(name)
        value(token)
    }
}
