/// What people paste when they are asked for a token: the token itself in quotes, broken by line ends, behind
/// `Authorization: Bearer`, within the JSON of an answer, or something that only looks like one. This alone is lenient.
enum PastedText {
    /// A token, the member of the JSON it stood in, and whether white space stood within it.
    case token([UInt8], member: String?, wasBroken: Bool)
    /// No token, and what it is instead.
    case other(TokenFinding)

    init(_ bytes: [UInt8]) {
        let text = Self.trimmed(String(decoding: bytes, as: UTF8.self)[...])
        if text.isEmpty {
            self = .other(.empty)
        } else if text.hasPrefix("{") || text.hasPrefix("[") {
            self.init(json: text)
        } else {
            self.init(line: Self.withoutName(text), member: nil)
        }
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
        } else if words.filter(Self.isWholeToken).count > 1 {
            self = .other(.severalTokens(in: []))
        } else {
            self = .token(Array(words.joined().utf8), member: member, wasBroken: words.count > 1)
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
