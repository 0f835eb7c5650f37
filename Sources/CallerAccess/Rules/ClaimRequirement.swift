import FleetEngineToken
import StrictJSON

/// What a rule requires of one of the caller's claims.
package struct ClaimRequirement: Equatable, Sendable {
    private enum Expectation: Equatable {
        case equal(JSONValue)
        // A name, since names are compared byte for byte.
        case containing(JSONName)
    }

    let path: ClaimPath
    private let expectation: Expectation

    /// The claim must be this text, integer or boolean, texts byte for byte; throws if the literal is anything else or an
    /// empty text.
    package init(_ path: ClaimPath, equals literal: JSONValue) throws(AccessRuleError) {
        switch literal {
        case .bool, .integer: break
        case .string(let text) where !text.isEmpty: break
        default: throw .unfitLiteral
        }
        (self.path, expectation) = (path, .equal(literal))
    }

    /// The claim must be an array with this text in it, such as groups, or a text with this word in it, such as `scope`,
    /// whose words have single blanks between them (RFC 6749 section 3.3); throws if the text is empty.
    package init(_ path: ClaimPath, contains text: String) throws(AccessRuleError) {
        guard !text.isEmpty else { throw .unfitLiteral }
        (self.path, expectation) = (path, .containing(JSONName(text)))
    }

    /// What the claim is instead; nil if it is what it must be.
    func mismatch(in claims: JSONObject) -> ClaimMismatch? {
        let value = path.value(in: claims)
        let isMet =
            switch (expectation, value) {
            case (.equal(let literal), let value?): value == literal
            case (.containing(let text), .array(let elements)): elements.contains(.string(text.text))
            case (.containing(let text), .string(let words)): Self.hasWord(text.text, words)
            default: false
            }
        return isMet ? nil : ClaimMismatch(path: path, value: value)
    }

    /// What the claim is not, or does not contain.
    func sentence(_ mismatch: ClaimMismatch, showing claims: JSONObject? = nil) -> String {
        switch (expectation, claims) {
        case (.equal(.string(let text)), let claims?): mismatch.comparison([text], in: claims)
        case (.equal(let literal), let claims?):
            mismatch.comparison(expecting: JSONText.compact(literal), in: claims)
        case (.containing(let text), let claims?): mismatch.comparison([text.text], in: claims)
        case (.equal(let literal), nil): mismatch.sentence(literal: literal)
        case (.containing(let text), nil): mismatch.sentence(element: text.text)
        }
    }

    private static func hasWord(_ word: String, _ words: String) -> Bool {
        words.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual(word.utf8) }
    }
}
