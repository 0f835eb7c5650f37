/// A foreign text in double quotes, fit for one line of an error: control characters are escaped, long texts are cut.
package struct QuotedText: CustomStringConvertible, Sendable {
    /// How many Unicode scalars are shown at most.
    package static let maximumScalars = 64

    private let text: String

    /// The quoted form of `text`.
    package init(_ text: String) {
        self.text = text
    }

    /// The text in quotes, as in `"a\u{A}b"`.
    package var description: String { "\"\(escaped)\"" }

    /// The text without quotes, escaped and cut all the same.
    package var escaped: String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(Self.maximumScalars) { Self.append(scalar, to: &shown) }
        let isCut = text.unicodeScalars.dropFirst(Self.maximumScalars).first != nil
        return isCut ? shown + "…" : shown
    }

    private static func append(_ scalar: Unicode.Scalar, to shown: inout String) {
        switch scalar.properties.generalCategory {
        // Format characters could turn the direction of the line or hide in it.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            shown.unicodeScalars.append(scalar)
        }
    }
}
