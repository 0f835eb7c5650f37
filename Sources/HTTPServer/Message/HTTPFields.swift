/// A block of response headers, rendered once and valid once it exists (RFC 9110 section 5).
///
/// Answers share blocks, so that a response costs a reference and not a list of strings.
package struct HTTPFields: Sendable, Equatable {
    private static let lineEnd = Array("\r\n".utf8)
    private static let length = Array("Content-Length: ".utf8)

    /// The headers, from the end of the line before them to `Content-Length: ` after them.
    let untilLength: [UInt8]

    /// The fields as HTTP/1.1 has them on the wire, each a name, a colon, a space, a value and CR LF.
    package var bytes: [UInt8] {
        Array(untilLength.dropFirst(HTTPFields.lineEnd.count).dropLast(HTTPFields.length.count))
    }

    /// Whether both are one block and not only equal; this does not read the bytes.
    package func isSameBlock(as other: HTTPFields) -> Bool {
        untilLength.withUnsafeBufferPointer { block in
            other.untilLength.withUnsafeBufferPointer { block.baseAddress == $0.baseAddress }
        }
    }

    /// No header at all.
    package static let none = HTTPFields(bytes: [])

    private init(bytes: [UInt8]) {
        untilLength = HTTPFields.lineEnd + bytes + HTTPFields.length
    }

    private init(untilLength: [UInt8]) { self.untilLength = untilLength }

    /// Renders names and values; nil if a name is not a token or a value holds a control character, so that
    /// no value can begin a line of its own (response splitting).
    package init?(_ fields: [(name: String, value: String)]) {
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
    package static func + (first: HTTPFields, second: HTTPFields) -> HTTPFields {
        var both = first.untilLength
        both.removeLast(HTTPFields.length.count)
        both += second.untilLength.dropFirst(HTTPFields.lineEnd.count)
        return HTTPFields(untilLength: both)
    }
}
