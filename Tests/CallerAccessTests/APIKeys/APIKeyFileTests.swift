import CallerAccess
import Testing

@Suite struct APIKeyFileTests {
    private static let digits = String(repeating: "0a", count: 32)
    private static let sound = "billing sha256:\(digits)"
    private static let key = "tpk_" + String(repeating: "A", count: 43)

    private func errors(_ text: String) -> [APIKeyFileError] {
        #expect(throws: APIKeyFileErrors.self) { try APIKeyTable(parsing: Array(text.utf8)) }?.errors ?? []
    }

    @Test(
        arguments: [
            ("b\u{E9} sha256:\(digits)", .malformedName), ("sha256:\(digits)", .malformedName),
            ("a/b sha256:\(digits)", .malformedName), ("\u{FEFF}a sha256:\(digits)", .malformedName),
            ("\0 sha256:\(digits)", .malformedName), ("a\u{B}b", .malformedName),
            ("\(String(repeating: "a", count: 65)) sha256:\(digits)", .malformedName),
            ("billing", .missingDigest), ("billing # sha256:\(digits)", .missingDigest),
            ("billing \(digits)", .malformedDigest), ("billing sha256:", .malformedDigest),
            ("billing sha256: \(digits)", .malformedDigest), ("billing SHA256:\(digits)", .malformedDigest),
            ("billing sha256:\(digits.dropLast())", .malformedDigest), ("\(sound)0", .malformedDigest),
            ("billing sha256:\(digits.uppercased())", .malformedDigest), ("billing sha512:\(digits)", .malformedDigest),
            ("billing sha256:\(digits.dropLast())g", .malformedDigest),
            ("billing sha256:\(digits.dropLast(2))\u{E9}", .malformedDigest),
            (key, .keyItself), ("billing \(key)", .keyItself), ("\(key) sha256:\(digits)", .keyItself),
            ("\(sound) \(key)", .keyItself), ("billing tpk_", .keyItself),
            ("billing sha256:\(key)", .keyItself), ("\(sound) # \(key)", .keyItself), ("# \(key)", .keyItself),
            ("billing \"\(key)\"", .keyItself), ("#\(key)x", .keyItself), ("\(sound) # tpk_ tpk_\(key)", .keyItself),
            ("\(sound) rules=a.\(key)", .keyItself),
            ("\(sound) expires=", .malformedExpiry), ("\(sound) expires=2027-01-31", .malformedExpiry),
            ("\(sound) expires=2027-02-29T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=2027-00-31T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=2027-13-01T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=2027-01-32T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=2027-01-00T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=2027-01-31T24:00:00Z", .malformedExpiry),
            ("\(sound) expires=2027-01-31T00:60:00Z", .malformedExpiry),
            ("\(sound) expires=2027-01-31T00:00:60Z", .malformedExpiry),
            ("\(sound) expires=2027-01-31T00:00:00z", .malformedExpiry),
            ("\(sound) expires=2027-01-31T00:00:00+0", .malformedExpiry),
            ("\(sound) expires=1969-12-31T23:59:59Z", .malformedExpiry),
            ("\(sound) expires=2027/01/31T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=02027-1-31T00:00:00Z", .malformedExpiry),
            ("\(sound) expires=--------------------", .malformedExpiry),
            ("\(sound) rules=", .malformedRules), ("\(sound) rules=a,", .malformedRules),
            ("\(sound) rules=,a", .malformedRules), ("\(sound) rules=a,,b", .malformedRules),
            ("\(sound) rules=a/b", .malformedRules), ("\(sound) rules=\u{E9}", .malformedRules),
            ("\(sound) rules=\(String(repeating: "a", count: 65))", .malformedRules),
            ("\(sound) rules=a rules=b", .foreignField), ("\(sound) Rules=a", .foreignField),
            ("\(sound) rules=a, b", .malformedRules), ("\(sound) rules=a expires=x", .malformedExpiry),
            ("\(sound) until=2027-01-31T00:00:00Z", .foreignField), ("\(sound) Expires=x", .foreignField),
            ("\(sound) x", .foreignField),
            ("\(sound) expires=2027-01-31T00:00:00Z x", .foreignField),
            ("\(sound) expires=2027-01-31T00:00:00Z expires=2027-01-31T00:00:00Z", .foreignField),
        ] as [(String, APIKeyFileError.Problem)])
    func `a malformed line is refused with its problem`(line: String, problem: APIKeyFileError.Problem) {
        #expect(errors(line).map(\.problem) == [problem])
        #expect(errors("# first\n\n\(line)\n").map(\.line) == [3])
    }

    @Test(arguments: ["1970-01-01T00:00:00Z", "2028-02-29T23:59:59Z", "2000-02-29T00:00:00Z", "9999-12-31T23:59:59Z"])
    func `dates at the edges of the calendar are read`(date: String) throws {
        #expect(try APIKeyTable(parsing: Array("\(Self.sound) expires=\(date)".utf8)).names == ["billing"])
    }

    @Test func `a repeated name or digest is refused with the other line`() {
        let other = String(repeating: "0b", count: 32)
        #expect(
            errors("\(Self.sound)\nbilling sha256:\(other)\n\n").map(\.sentence)
                == ["line 2: the key has the name of line 1; expected each name once"])
        #expect(
            errors("#\n\(Self.sound)\ndispatch sha256:\(Self.digits)\n").map(\.sentence)
                == ["line 3: the key has the digest of line 2; expected each key once"])
    }

    @Test(arguments: [
        "tpk_", "TPK_\(key.dropFirst(4))", String(key.dropLast()), "\(key.dropLast()) A", "\(key.dropLast())+",
    ])
    func `a comment may contain an incomplete key`(text: String) throws {
        #expect(try APIKeyTable(parsing: Array("\(Self.sound) # \(text)".utf8)).names == ["billing"])
    }

    @Test func `all problems are reported at once, in the order of lines`() {
        let text = "a b\n\(Self.sound)\nb\n\(Self.sound) x\nc \(Self.key)\n\(Self.sound)\n/ sha256:\(Self.digits)"
        #expect(errors(text).map(\.line) == [1, 3, 4, 5, 6, 7])
        #expect(
            errors(text).map(\.problem) == [
                .malformedDigest, .missingDigest, .foreignField, .keyItself, .repeatedName(line: 2), .malformedName,
            ])
        #expect(!errors(text).contains { $0.sentence.contains(Self.key) || $0.sentence.contains(Self.digits) })
    }

    @Test(
        arguments: [
            (
                .malformedName,
                "the key's name is malformed; expected 1 to 64 characters of A-Z a-z 0-9 . _ -, and not tpk_ before them"
            ),
            (.missingDigest, "the key has no digest; expected sha256: and 64 hexadecimal digits"),
            (.malformedDigest, "the key's digest is malformed; expected sha256: and 64 lower-case hexadecimal digits"),
            (
                .keyItself,
                "the line contains an API key; expected only its SHA-256 (replace this key by a new one)"
            ),
            (
                .malformedExpiry,
                "the key's expiry is malformed; expected a date from 1970 to 9999 such as expires=2027-01-31T00:00:00Z"
            ),
            (
                .malformedRules,
                "the key's rules are malformed; expected names between commas such as rules=dispatch,support"
            ),
            (
                .foreignField,
                "a field is unknown or repeated; expected NAME sha256:DIGITS [expires=DATE] [rules=NAME,NAME]"
            ),
            (.repeatedName(line: 7), "the key has the name of line 7; expected each name once"),
            (.repeatedDigest(line: 7), "the key has the digest of line 7; expected each key once"),
        ] as [(APIKeyFileError.Problem, String)])
    func `each problem is one sentence`(problem: APIKeyFileError.Problem, sentence: String) {
        #expect(problem.sentence == sentence)
    }
}
