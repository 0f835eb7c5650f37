/// A report for people, in sections.
protocol StyledText {
    /// Whether to use the terminal's colours (ECMA-48 SGR).
    var isColoured: Bool { get }
}

/// The colour of a part of a report.
enum TextStyle: String {
    case heading = "1"
    case bad = "31"
    case doubtful = "33"
    case good = "32"
}

extension StyledText {
    /// A heading and its text.
    func section(_ title: String, _ body: String) -> String {
        "\(styled(title, .heading))\n\(body)"
    }

    /// A mark for what is well, what is not, and what tells nothing.
    func mark(_ isWell: Bool?) -> String {
        switch isWell {
        case true?: styled("✓", .good)
        case false?: styled("✗", .bad)
        case nil: "-"
        }
    }

    /// The text in its colour; nil for none.
    func styled(_ text: String, _ style: TextStyle?) -> String {
        guard isColoured, let style else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}
