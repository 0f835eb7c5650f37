/// A value of a JSON text (RFC 8259 section 3). Whoever compares a string a stranger wrote compares the value or the
/// `utf8` view: Swift's `==` for `String` takes canonically equivalent texts for equal, and can be made slow.
package enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits; `-0` is 0.
    case integer(Int64)
    /// Any other number, as it is written, so that nothing is rounded unasked.
    case number(String)
    /// A string, its escapes resolved; U+0000 and noncharacters are possible.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, each of whose names is there once.
    case object(JSONObject)

    /// Arrays and objects are never read deeper than this, whatever the limit asked for: each level takes stack.
    package static let deepest = 128

    /// Reads a JSON text that is a whole value in UTF-8, strictly and in time linear to its length. Beyond what RFC 8259
    /// does not allow, refused are repeated names in an object (compared without escapes), lone surrogates, a byte order
    /// mark and arrays and objects nested deeper than the limit (a value that is neither has depth 0).
    package init(parsing json: [UInt8], maxDepth: Int = 16) throws(JSONError) {
        var reader = JSONReader(json)
        self = try reader.text(maxDepth: min(maxDepth, Self.deepest))
    }
}

extension JSONValue: Equatable {
    /// Whether both are of the same kind and content: strings by their code points, numbers that are no integers by how
    /// they are written.
    package static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }
}

extension JSONValue {
    /// Bytes on the heap, reckoned rather too high: with what arrays and dictionaries keep in reserve when they have grown
    /// one by one.
    package var heapBytes: Int {
        switch self {
        case .null, .bool, .integer: return 0
        case .number(let text), .string(let text): return text.heapBytes
        case .array(let elements):
            var bytes = 64 + 2 * MemoryLayout<JSONValue>.stride * max(elements.count, 2)
            for place in elements.indices { bytes += elements[place].heapBytes }
            return bytes
        case .object(let members): return members.heapBytes
        }
    }
}

extension String {
    /// Bytes on the heap; up to 15 bytes stand in the string itself.
    package var heapBytes: Int {
        utf8.count <= 15 ? 0 : 48 + utf8.count
    }
}
