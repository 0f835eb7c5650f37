import StrictJSON
import FleetEngineToken

/// Something about a token that its reader should know, with what to do about it.
package struct TokenFinding: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Hashable, Sendable {
        /// Fleet Engine refuses the token.
        case refused
        /// It is dangerous, or Google does not document what Fleet Engine does.
        case warning
        /// It does no harm.
        case note
    }

    /// The stable word by which programs know the finding.
    package let code: String
    /// How bad it is.
    package let severity: Severity
    /// What it is about: a claim, or a header's member such as `header.kid`; nil if it is about the whole token.
    package let claim: String?
    /// One sentence: what is wrong. Values from the token are escaped for a terminal.
    package let problem: String
    /// One sentence: what to do.
    package let fix: String
}

/// A row of a table of findings. The values of a token replace `{0}` and `{1}` in its sentences.
struct FindingRow: Sendable {
    let code: String
    private let severity: TokenFinding.Severity
    private let claim: String?
    private let problem: String
    private let fix: String

    init(
        _ code: String, as severity: TokenFinding.Severity = .refused, at claim: String? = nil, _ problem: String,
        fix: String
    ) {
        (self.code, self.severity, self.claim, self.problem, self.fix) = (code, severity, claim, problem, fix)
    }

    /// The finding with these values, which must be safe to print; a claim replaces that of the row.
    func callAsFunction(_ values: String..., about claim: String? = nil) -> TokenFinding {
        TokenFinding(
            code: code, severity: severity, claim: claim ?? self.claim, problem: Self.fill(problem[...], values[...]),
            fix: Self.fill(fix[...], values[...]))
    }

    /// A value is never searched for placeholders.
    private static func fill(_ template: Substring, _ values: ArraySlice<String>) -> String {
        guard let value = values.last else { return String(template) }
        return template.split(separator: "{\(values.count - 1)}", omittingEmptySubsequences: false)
            .map { fill($0, values.dropLast()) }.joined(separator: value)
    }
}

/// A finding instead of a value.
struct FindingError: Error {
    let finding: TokenFinding
}

/// Values of a token that are safe to print: control and format characters are escaped as in JSON, long texts are cut.
enum Quoted {
    /// A text between quotation marks, such as `"v-1"`.
    static func text(_ text: String) -> String {
        let (shown, end) = cut(text, after: 64)
        return JSONText.compact(.string(shown)) + end
    }

    /// A sentence without quotation marks.
    static func sentence(_ text: String) -> String {
        let (shown, end) = cut(text, after: 256)
        return JSONText.compact(.string(shown)).dropFirst().dropLast() + end
    }

    private static func cut(_ text: String, after limit: Int) -> (shown: String, end: String) {
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: text.unicodeScalars.prefix(limit))
        return (String(shown), text.unicodeScalars.dropFirst(limit).first == nil ? "" : "…")
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
