import CallerAccess
import TestSupport
import Testing

@Suite struct APIKeyTests {
    @Test func `a key is tpk_ and its random bytes in base64url`() throws {
        let key = try #require(APIKey(random: Array(0..<32)))
        #expect(key.text == "tpk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(key.text.utf8.count == 47)
        let ones = try #require(APIKey(random: [UInt8](repeating: 0xFF, count: 32)))
        #expect(ones.text == "tpk_" + String(repeating: "_", count: 42) + "8")
    }

    @Test func `a key needs exactly 32 random bytes`() {
        for count in [0, 1, 31, 33] { #expect(APIKey(random: [UInt8](repeating: 7, count: count)) == nil) }
    }

    @Test func `only a bearer token with the prefix tpk_ looks like a key`() throws {
        for text in ["tpk_", "tpk_x", try #require(APIKey(random: Array(0..<32))).text] {
            #expect(APIKey.looksLikeOne(Array(text.utf8)))
        }
        for text in ["", "tpk", "TPK_x", " tpk_x", String(decoding: try TestIssuer().token(), as: UTF8.self)] {
            #expect(!APIKey.looksLikeOne(Array(text.utf8)))
        }
    }

    @Test func `a complete key is found anywhere in a text`() throws {
        let key = try #require(APIKey(random: Array(0..<32))).text
        for text in [key, "x\(key)x", "tpk_ \(key)", "tpk_tp\(key)", "sha256:\(key)", " \(key)=", "\u{E9}\(key)\u{E9}"]
        {
            #expect(APIKey.stands(in: text.utf8), "\(text)")
        }
        for text in ["", "tpk_", String(key.dropFirst()), String(key.dropLast()), "\(key.dropLast())\u{E9}"] {
            #expect(!APIKey.stands(in: text.utf8), "\(text)")
        }
    }

    @Test func `a key's line holds its SHA-256 digest and nothing of the key`() throws {
        let key = try #require(APIKey(random: Array(0..<32)))
        let line = try APIKeyEntry(name: "billing", key: key).line
        #expect(try line == "billing sha256:\(sha256sum(key.text))")
        #expect(!line.contains(key.text.dropFirst(4)))
        let ending = try APIKeyEntry(name: "billing", key: key, expiresAt: 1_801_353_600).line
        #expect(ending == line + " expires=2027-01-31T00:00:00Z")
    }

    @Test func `a line is read as it was written`() throws {
        let key = try #require(APIKey(random: [UInt8](repeating: 9, count: 32)))
        for end in [nil, 0, 1, 1_801_353_599, 253_402_300_799] as [Int64?] {
            let line = try APIKeyEntry(name: "a.B_9-", key: key, expiresAt: end).line
            let principal = try APIKeyTable(parsing: Array(line.utf8)).principal(of: Array(key.text.utf8), at: -1)
            #expect(principal.name == "a.B_9-")
            #expect(principal.expiresAt == end)
        }
    }

    @Test func `an entry with a malformed name or expiry is refused`() throws {
        let key = try #require(APIKey(random: Array(0..<32)))
        for name in ["", "a b", "a\n", "é", "a#", String(repeating: "a", count: 65), "tpk_x", key.text] {
            #expect(throws: APIKeyFileError.Problem.malformedName) { try APIKeyEntry(name: name, key: key) }
        }
        _ = try APIKeyEntry(name: String(repeating: "a", count: 64), key: key)
        for end in [-1, 253_402_300_800] as [Int64] {
            #expect(throws: APIKeyFileError.Problem.malformedExpiry) {
                try APIKeyEntry(name: "a", key: key, expiresAt: end)
            }
        }
    }

    private func sha256sum(_ text: String) throws -> String {
        String(try Child.mustRun(["sha256sum"], input: text).prefix(64))
    }
}
