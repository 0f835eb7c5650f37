/// What people paste when they are asked for a token: the token itself in quotes, broken by line ends, after
/// `Authorization: Bearer`, within a command of curl or the JSON of an answer, after the answer's head, or something
/// that only looks like one. Only this type is lenient.
enum PastedText {
    /// A token, the member of the JSON that holds it, and what is wrong with the text around it.
    case token([UInt8], member: String?, findings: [TokenFinding])
    /// An error that token-provider answered with.
    case error(code: String, detail: String)
    /// No token, and what it is instead.
    case other(TokenFinding)

    static let table = PastedFindings()

    init(_ bytes: [UInt8]) {
        let text = Self.trimmed(Self.body(Self.trimmed(Self.boundingCharacters(of: bytes)[...])))
        if text.isEmpty {
            self = .other(Self.table.empty())
        } else if text.hasPrefix("{") || text.hasPrefix("[") {
            self.init(json: text)
        } else {
            switch CurlCommand(text) {
            case .bearer(let text): self.init(line: text[...], member: nil, isAfterBearer: true)
            case .other(let finding): self = .other(finding)
            case nil: self.init(line: Self.withoutName(text), member: nil)
            }
        }
    }

    /// The text, whose scalars beyond ASCII are replaced if there are very many in a row: all of them could be one character,
    /// and comparing that again and again takes time by the square.
    private static func boundingCharacters(of bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let longest = text.unicodeScalars.split { $0.isASCII }.map(\.count).max() ?? 0
        guard longest > 256 else { return text }
        var bounded = String.UnicodeScalarView()
        bounded.append(contentsOf: text.unicodeScalars.lazy.map { $0.isASCII ? $0 : "\u{FFFD}" })
        return String(bounded)
    }

    /// The body of an HTTP response, or the text itself.
    private static func body(_ text: Substring) -> Substring {
        guard text.hasPrefix("HTTP/") else { return text }
        let end = ["\r\n\r\n", "\n\n"].lazy.compactMap { text.firstRange(of: $0)?.upperBound }.first
        return end.map { text[$0...] } ?? text
    }

    /// The value of an Authorization header, or a token alone.
    init(line: Substring, member: String?, isAfterBearer: Bool = false) {
        let words = line.split(whereSeparator: Self.isSpace)
        let rest = words.drop { Self.trimmed($0).lowercased() == "bearer" }
        let bearers = words.count - rest.count + (isAfterBearer ? 1 : 0)
        if rest.isEmpty {
            self = .other(Self.table.nothingAfterBearer())
        } else if rest.count > 1, let first = rest.first, Self.schemes.contains(first.lowercased()) {
            self = .other(Self.table.otherScheme())
        } else if let finding = Self.table.credential(Self.trimmed(rest.joined(separator: " ")[...])) {
            self = .other(finding)
        } else {
            self.init(words: rest.map(Self.trimmed), member, bearers > 1 ? [Self.table.bearerTwice()] : [])
        }
    }

    private init(words: [Substring], _ member: String?, _ findings: [TokenFinding]) {
        let tokens = words.filter(Self.isWholeToken)
        if tokens.count < 2 {
            let isBroken = words.count > 1
            self = .token(
                Array(words.joined().utf8), member: member,
                findings: findings + (isBroken ? [Self.table.brokenApart()] : []))
        } else if Set(tokens.map { Array($0.utf8) }).count == 1 {
            self = .token(Array(tokens[0].utf8), member: member, findings: findings)
        } else {
            self = .other(Self.table.severalTokens())
        }
    }

    static let schemes: Set<String> = ["basic", "digest", "negotiate", "googlelogin"]

    private static func isWholeToken(_ word: Substring) -> Bool {
        word.hasPrefix("eyJ") && word.utf8.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// The text without `Authorization:`, `token=` or the like before it.
    private static func withoutName(_ text: Substring) -> Substring {
        guard let end = text.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return text }
        let name = trimmed(text[..<end])
        let rest = trimmed(text[text.index(after: end)...])
        guard !name.contains("."), !name.hasPrefix("eyJ"), name.utf8.count <= 40 else { return text }
        let isKnown = name.lowercased() == "authorization" || table.credential(rest) != nil
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

    /// White space, and the invisible marks that are copied along with text.
    static func isSpace(_ character: Character) -> Bool {
        character.isWhitespace || "\u{FEFF}\u{200B}\u{2060}".contains(character)
    }
}
