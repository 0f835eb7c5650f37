/// A name of a JSON object's member, equal to another if its code points are the same (RFC 8259 section 8.3). Swift
/// compares strings by canonical equivalence: it takes the kelvin sign for a K, and hashes a name that is mostly
/// combining marks in quadratic time.
public struct JSONName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name, its escapes resolved.
    public let text: String

    /// The name with this text, without escapes.
    public init(_ text: String) {
        self.text = text
    }

    /// The name with this text, without escapes.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// Whether both have the same code points.
    public static func == (one: JSONName, other: JSONName) -> Bool {
        one.text.hasSameBytes(as: other.text)
    }

    /// Feeds the name's UTF-8.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
