/// A value of a JSON text (RFC 8259 section 3). To compare a string from outside, compare the value or the `utf8` view:
/// Swift's `==` for `String` also accepts canonically equivalent texts, and an attacker can make it slow.
package enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits; `-0` is 0.
    case integer(Int64)
    /// Any other number, as it is written, so that nothing is rounded.
    case number(String)
    /// A string with its escapes resolved. It may hold U+0000 and noncharacters.
    case string(String)
    case array([JSONValue])
    /// An object; each name occurs once.
    case object(JSONObject)

    /// How deeply arrays and objects are nested, unless a caller says otherwise.
    package static let usualDepth = 16
    /// The deepest nesting of arrays and objects, whatever limit is requested: each level takes stack.
    package static let deepest = 128

    /// Parses a JSON text in UTF-8 strictly, in linear time. Also refused, though RFC 8259 allows them: repeated names in
    /// an object (compared without escapes), lone surrogates, a byte order mark, and arrays and objects nested deeper than
    /// `maxDepth` (any other value has depth 0).
    package init(parsing json: [UInt8], maxDepth: Int = usualDepth) throws(JSONError) {
        var reader = JSONReader(json)
        self = try reader.text(maxDepth: min(maxDepth, Self.deepest))
    }

    /// The same, except for the elements of this member's array. One that is nested too deeply, repeats a name, or has a lone
    /// surrogate or text that is not UTF-8 becomes null; its error is in `faults`, by its place.
    package init(
        parsing json: [UInt8], refusingElementsOf name: JSONName, into faults: inout [Int: JSONError]
    ) throws(JSONError) {
        var reader = JSONReader(json, refusingElementsOf: name)
        self = try reader.text(maxDepth: Self.usualDepth)
        faults = reader.faults
    }
}

extension JSONValue: Equatable {
    /// Whether both have the same type and content. Strings are compared by their code points, numbers other than integers
    /// by how they are written.
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
    /// The text of a string; nil for another type.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The texts of an array of strings; nil for another type.
    package var texts: [String]? { elements(\.text) }

    /// A member of an object; nil if there is none, or for another type.
    package subscript(name: JSONName) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The elements of an array; nil for another type, or if one of them is not as expected.
    package func elements<Element>(_ element: (JSONValue) -> Element?) -> [Element]? {
        guard case .array(let values) = self else { return nil }
        let elements = values.compactMap(element)
        return elements.count == values.count ? elements : nil
    }

    /// Bytes on the heap, an upper estimate that includes the unused capacity of arrays and dictionaries that have grown
    /// step by step.
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
    /// Bytes on the heap; up to 15 bytes are stored in the string itself.
    package var heapBytes: Int {
        utf8.count <= 15 ? 0 : 48 + utf8.count
    }
}
