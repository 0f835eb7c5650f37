/// A block of response fields, rendered once and valid once it exists (RFC 9110 section 5).
///
/// Answers share blocks, so that a response costs a reference and not a list of strings.
public struct HTTPFields: Sendable, Equatable {
    /// The fields as they go on the wire in HTTP/1.1, each a name, a colon, a space, a value and CR LF.
    public let bytes: [UInt8]
    /// The same between the end of the field before and the value of `Content-Length` behind.
    let untilLength: [UInt8]

    /// No field at all.
    public static let none = HTTPFields(bytes: [])

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        untilLength = Array("\r\n".utf8) + bytes + Array("Content-Length: ".utf8)
    }

    /// Renders names and values; nil if a name is not a token or a value holds a control character, so that
    /// no value can begin a line of its own (response splitting).
    public init?(_ fields: [(name: String, value: String)]) {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            guard !name.isEmpty, name.utf8.allSatisfy(ByteSet.token.contains) else { return nil }
            guard value.utf8.allSatisfy(ByteSet.fieldValue.contains) else { return nil }
            bytes += name.utf8
            bytes += ": ".utf8
            bytes += value.utf8
            bytes += "\r\n".utf8
        }
        self.init(bytes: bytes)
    }

    /// Both blocks, this one first.
    public static func + (first: HTTPFields, second: HTTPFields) -> HTTPFields {
        HTTPFields(bytes: first.bytes + second.bytes)
    }
}
