/// The frame of a PEM text (RFC 7468): one block, white space around it, nothing else. OpenSSL is laxer: it skips what
/// stands before a block and ignores what stands after it.
package struct PEMFrame {
    private static let begin = "-----BEGIN "

    /// What follows the last line of the block.
    enum Ending {
        case nothing
        /// There is no such line.
        case missing
        case moreData
    }

    /// What stands between `-----BEGIN ` and `-----`.
    package let label: String
    private let lines: [Substring]

    /// Nil where the text does not begin with the first line of a block.
    package init?(_ pem: [UInt8]) {
        guard let text = String(validating: pem, as: UTF8.self) else { return nil }
        lines = text.split(whereSeparator: \.isNewline).map(Self.trimmed).filter { !$0.isEmpty }
        guard let first = lines.first, first.hasPrefix(Self.begin), first.hasSuffix("-----") else { return nil }
        label = String(first.dropFirst(Self.begin.count).dropLast(5))
        // A key whose line ends were lost begins and ends on one line.
        guard !label.contains("-----") else { return nil }
    }

    var ending: Ending {
        guard let last = lines.firstIndex(of: "-----END \(label)-----") else { return .missing }
        return last == lines.count - 1 ? .nothing : .moreData
    }

    private static func trimmed(_ line: Substring) -> Substring {
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
