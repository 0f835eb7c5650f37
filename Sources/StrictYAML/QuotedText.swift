/// A text from outside in double quotes, for one line of an error: control characters are escaped, long texts are cut.
package struct QuotedText: CustomStringConvertible, Sendable {
    /// How many Unicode scalars are shown at most, unless another limit is given.
    package static let maximumScalars = 64

    private let text: String
    private let limit: Int

    /// The quoted form of `text`, of which `limit` Unicode scalars are shown at most.
    package init(_ text: String, limit: Int = maximumScalars) {
        (self.text, self.limit) = (text, limit)
    }

    /// The text in quotes, as in `"a\u{A}b"`.
    package var description: String { "\"\(escaped)\"" }

    /// The text without quotes, but escaped and cut.
    package var escaped: String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(limit) { Self.append(scalar, to: &shown) }
        let isCut = text.unicodeScalars.dropFirst(limit).first != nil
        return isCut ? shown + "…" : shown
    }

    private static func append(_ scalar: Unicode.Scalar, to shown: inout String) {
        switch scalar.properties.generalCategory {
        // Format characters could reverse the direction of the line or be invisible in it.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            shown.unicodeScalars.append(scalar)
        }
    }
}
