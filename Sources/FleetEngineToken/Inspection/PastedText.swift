/// What people paste when they are asked for a token: the token itself in quotes, broken by line ends, behind
/// `Authorization: Bearer`, within a command of curl or the JSON of an answer, behind the answer's head, or something
/// that only looks like one. This alone is lenient.
enum PastedText {
    /// A token, the member of the JSON it stood in, and whether white space stood within it.
    case token([UInt8], member: String?, wasBroken: Bool)
    /// No token, and what it is instead.
    case other(TokenFinding)

    init(_ bytes: [UInt8]) {
        let text = Self.trimmed(Self.body(Self.trimmed(String(decoding: bytes, as: UTF8.self)[...])))
        if text.isEmpty {
            self = .other(.empty)
        } else if text.hasPrefix("{") || text.hasPrefix("[") {
            self.init(json: text)
        } else {
            self.init(line: Self.credentials(inCommand: text) ?? Self.withoutName(text), member: nil)
        }
    }

    /// What stands behind the head of an HTTP response, or the text itself.
    private static func body(_ text: Substring) -> Substring {
        guard text.hasPrefix("HTTP/") else { return text }
        let end = ["\r\n\r\n", "\n\n"].lazy.compactMap { text.firstRange(of: $0)?.upperBound }.first
        return end.map { text[$0...] } ?? text
    }

    /// What stands behind `Bearer` in a command of curl; nil if the text is none.
    private static func credentials(inCommand text: Substring) -> Substring? {
        let words = text.split(whereSeparator: isSpace)
        guard words.first == "curl", let scheme = words.firstIndex(where: { $0.lowercased().hasSuffix("bearer") })
        else { return nil }
        return words.dropFirst(scheme + 1).first.map(trimmed)
    }

    /// What stands behind a name and a colon or equals sign, if anything does.
    init(line: Substring, member: String?) {
        let words = line.split(whereSeparator: Self.isSpace)
        if let first = words.first, words.count > 1, Self.schemes.contains(first.lowercased()) {
            guard first.lowercased() == "bearer" else {
                self = .other(.otherScheme)
                return
            }
            self.init(line: Self.trimmed(line.dropFirst(first.count)), member: member)
        } else if let finding = TokenFinding(opaque: line) {
            self = .other(finding)
        } else {
            let tokens = words.map(Self.trimmed).filter(Self.isWholeToken)
            if tokens.count < 2 {
                self = .token(Array(words.joined().utf8), member: member, wasBroken: words.count > 1)
            } else if Set(tokens.map { Array($0.utf8) }).count == 1 {
                self = .token(Array(tokens[0].utf8), member: member, wasBroken: false)
            } else {
                self = .other(.severalTokens(in: []))
            }
        }
    }

    private static let schemes: Set<String> = ["bearer", "basic", "digest", "negotiate", "googlelogin"]

    private static func isWholeToken(_ word: Substring) -> Bool {
        word.hasPrefix("eyJ") && word.utf8.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// The text without `Authorization:`, `token=` or the like before it.
    private static func withoutName(_ text: Substring) -> Substring {
        guard let end = text.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return text }
        let name = trimmed(text[..<end])
        let rest = trimmed(text[text.index(after: end)...])
        guard !name.contains("."), !name.hasPrefix("eyJ"), name.utf8.count <= 40 else { return text }
        let isKnown = name.lowercased() == "authorization" || TokenFinding(opaque: rest) != nil
        return isKnown || rest.hasPrefix("eyJ") || rest.lowercased().hasPrefix("bearer") ? rest : text
    }

    /// The text without white space, quotation marks and commas around it.
    static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: isFrame)
        guard let last = start.lastIndex(where: { !isFrame($0) }) else { return "" }
        return start[...last]
    }

    private static func isFrame(_ character: Character) -> Bool {
        isSpace(character) || "\"'`,;“”‘’«»".contains(character)
    }

    /// White space, and the invisible marks that come along when text is copied.
    private static func isSpace(_ character: Character) -> Bool {
        character.isWhitespace || "\u{FEFF}\u{200B}\u{2060}".contains(character)
    }
}
