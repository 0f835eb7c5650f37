/// A report for people, in sections.
protocol StyledText {
    /// Whether the terminal's colours are used (ECMA-48 SGR).
    var isColoured: Bool { get }
}

/// What a part of a report is, by which it is coloured.
enum TextStyle: String {
    case heading = "1"
    case bad = "31"
    case doubtful = "33"
    case good = "32"
}

extension StyledText {
    /// A heading and what stands below it.
    func section(_ title: String, _ body: String) -> String {
        "\(styled(title, .heading))\n\(body)"
    }

    /// The text in its colour.
    func styled(_ text: String, _ style: TextStyle) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
