import Testing

/// A text that Fleet Engine does not take as a token, and all findings about it.
struct BrokenToken: CustomTestStringConvertible, Sendable {
    /// How it was made.
    let testDescription: String
    let text: String
    /// Every finding, as `severity code: problem`, in order.
    let lines: [String]

    init(_ how: String, _ text: String, _ lines: String...) {
        (testDescription, self.text, self.lines) = (how, text, lines)
    }

    /// A healthy token with one claim written otherwise; nil leaves it out.
    init(claim name: String, _ json: String?, _ lines: String...) {
        testDescription = "\(name) is \(json ?? "left out")"
        text = TokenDraft { $0.claims[name] = json }.token
        self.lines = lines
    }

    /// A healthy token with one member of the header written otherwise; nil leaves it out.
    init(header name: String, _ json: String?, _ lines: String...) {
        testDescription = "header.\(name) is \(json ?? "left out")"
        text = TokenDraft { $0.header[name] = json }.token
        self.lines = lines
    }

    /// A healthy token with other private claims.
    init(authorization json: String, _ lines: String...) {
        testDescription = "authorization is \(json)"
        text = TokenDraft(authorization: json).token
        self.lines = lines
    }
}
