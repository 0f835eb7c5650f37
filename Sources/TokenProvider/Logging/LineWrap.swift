/// Breaks long lines between words, so that a terminal does not break them within one. The rest of a line begins below its text:
/// after a mark, an arrow or a name with spaces around it.
struct LineWrap {
    private let width: Int?

    /// Nil leaves lines as they are.
    init(_ width: Int?) { self.width = width }

    /// The line, which may have the colours of `StyledText`. One that is to be copied stays whole.
    func wrapped(_ line: String) -> String {
        let text = Self.visible(line)
        guard let width, text.count > width, !Self.isToBeCopied(text) else { return line }
        let indentation = Self.indentation(text)
        guard indentation * 2 < width else { return line }
        var (shown, column) = ("", 0)
        for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            let length = Self.visible(word).count
            if column > indentation, column + 1 + length > width {
                shown += "\n\(String(repeating: " ", count: indentation))\(word)"
                column = indentation + length
            } else {
                shown += index == 0 ? word : " \(word)"
                column += length + (index == 0 ? 0 : 1)
            }
        }
        return shown
    }

    /// Columns at which names before a text end, at most.
    private static let widestName = 24
    /// What a text follows on its line.
    private static let beginnings = ["✓ ", "✗ ", "- ", "refused ", "warning "]
    /// Columns before commands.
    private static let ofCommands = 20

    private static func visible(_ text: some StringProtocol) -> String {
        String(text).replacing(/\u{1B}\[[0-9]+m/, with: "")
    }

    /// Whether it is JSON or a command.
    private static func isToBeCopied(_ text: String) -> Bool {
        let rest = text.drop { $0 == " " }
        let isCommand = text.count - rest.count >= ofCommands && !rest.hasPrefix("-> ")
        return isCommand || rest.first.map { "{}[]\"".contains($0) } == true
    }

    private static func indentation(_ text: String) -> Int {
        let rest = text.drop { $0 == " " }
        let start = text.count - rest.count
        if rest.hasPrefix("-> ") { return start + 3 }
        if let gap = rest.firstRange(of: "  ") {
            let end = rest[gap.upperBound...].firstIndex { $0 != " " } ?? gap.upperBound
            let column = start + rest.distance(from: rest.startIndex, to: end)
            if column <= widestName { return column }
        }
        return start + (Self.beginnings.first { rest.hasPrefix($0) }?.count ?? 0)
    }
}
