/// What a pasted command of curl sends as credentials.
enum CurlCommand {
    /// The text after the first `Bearer`.
    case bearer(String)
    /// No token, and what the command has instead.
    case other(TokenFinding)

    private static let table = PastedFindings()

    /// Nil if the text is not a command of curl.
    init?(_ text: Substring) {
        let words = text.split(whereSeparator: PastedText.isSpace).map(PastedText.trimmed).drop { $0 == "$" }
        guard words.first == "curl" else { return nil }
        guard let scheme = words.firstIndex(where: { $0.lowercased().hasSuffix("bearer") }) else {
            self = .other(Self.absence(words))
            return
        }
        let rest = words[(scheme + 1)...]
        let repeated = rest.prefix { $0.lowercased() == "bearer" }
        guard let token = rest.dropFirst(repeated.count).first, !token.hasPrefix("http"), !token.hasPrefix("-") else {
            self = .other(Self.table.nothingAfterBearer())
            return
        }
        self = .bearer((repeated + [token]).joined(separator: " "))
    }

    /// Why the command sends no token.
    private static func absence(_ words: ArraySlice<Substring>) -> TokenFinding {
        if words.contains(where: { $0.contains("tpk_") }) { return table.providerKey() }
        if words.contains(where: isOtherScheme) { return table.otherScheme() }
        // A variable in a URL is not a credential.
        let values = words.indices.dropFirst().filter { ["-H", "--header"].contains(words[$0 - 1]) }.map { words[$0] }
        let known = words.lazy.filter { !$0.hasPrefix("$") }.compactMap(table.credential).first
        return known ?? values.lazy.compactMap(table.credential).first ?? table.noCredentials()
    }

    /// For example `Basic`, `Authorization:Basic`, or the option that makes curl use that scheme.
    private static func isOtherScheme(_ word: Substring) -> Bool {
        let name = word.lowercased().split(separator: ":").last.map(String.init) ?? ""
        return PastedText.schemes.contains(name) || word == "-u" || word == "--user"
    }
}
