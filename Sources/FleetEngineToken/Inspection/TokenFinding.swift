import StrictJSON

/// Something about a token that its reader should know, with what to do about it.
package struct TokenFinding: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Hashable, Sendable {
        /// Fleet Engine refuses the token.
        case refused
        /// It is dangerous, or nobody has documented what Fleet Engine does.
        case warning
        /// It does no harm.
        case note
    }

    /// The stable word by which programs know the finding.
    package let code: Code
    /// How bad it is.
    package let severity: Severity
    /// What it is about: a claim, or a header's member as `header.kid`; nil where it is about the token as a whole.
    package let claim: String?
    /// One sentence: what is wrong. Whatever of the token is in it is escaped for a terminal.
    package let problem: String
    /// One sentence: what to do.
    package let fix: String

    init(_ code: Code, _ severity: Severity, _ claim: String?, _ problem: String, fix: String) {
        self.code = code
        self.severity = severity
        self.claim = claim
        self.problem = problem
        self.fix = fix
    }
}

/// A text of a token between quotation marks, fit for a sentence on a terminal.
enum Quoted {
    private static let maxScalars = 64

    /// For example `"v-1"`: control and format characters are escaped as in JSON, long texts are cut.
    static func text(_ text: String) -> String {
        let isCut = text.unicodeScalars.dropFirst(maxScalars).first != nil
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: text.unicodeScalars.prefix(maxScalars))
        return JSONText.compact(.string(String(shown))) + (isCut ? "…" : "")
    }

    /// A value of any type: a string as `text` shows it, a number as it is written, of others the type.
    static func value(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Self.text(text)
        case .integer(let integer): "\(integer)"
        case .number(let number): number.utf8.count > 32 ? "a number" : number
        case .bool(let bool): "\(bool)"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
