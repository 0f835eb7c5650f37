import Testing

@testable import CallerAccess

@Suite struct APIKeyTableTests {
    private let now: Int64 = 1_700_000_000

    private func key(_ number: UInt8) throws -> APIKey {
        try #require(APIKey(random: [UInt8](repeating: number, count: 32)))
    }

    private func line(_ number: UInt8, _ name: String, until end: Int64? = nil) throws -> String {
        try APIKeyEntry(name: name, key: key(number), expiresAt: end).line
    }

    private func table(_ lines: String...) throws -> APIKeyTable {
        try APIKeyTable(parsing: Array(lines.joined(separator: "\n").utf8))
    }

    private func refusal(_ table: APIKeyTable, _ key: String, at now: Int64) -> APIKeyRefusal? {
        #expect(throws: APIKeyRefusal.self) { try table.principal(of: Array(key.utf8), at: now) }
    }

    @Test func `each key authenticates the caller with its name`() throws {
        let table = try table(line(1, "billing"), line(2, "dispatch", until: now + 10))
        let first = try table.principal(of: Array(key(1).text.utf8), at: now)
        #expect(first.name == "billing")
        #expect(first.source == .apiKey(name: "billing"))
        #expect(first.claims == nil)
        #expect(first.expiresAt == nil)
        let second = try table.principal(of: Array(key(2).text.utf8), at: now)
        #expect(second.name == "dispatch")
        #expect(second.expiresAt == now + 10)
        #expect(table.names == ["billing", "dispatch"])
    }

    @Test func `a key is valid until its expiry, to the second`() throws {
        let table = try table(line(1, "billing", until: now))
        let text = try key(1).text
        #expect(try table.principal(of: Array(text.utf8), at: now - 1).name == "billing")
        for time in [now, now + 1, .max] {
            #expect(refusal(table, text, at: time) == APIKeyRefusal(.expired, name: "billing", expiredAt: now))
        }
    }

    @Test func `a table has a valid key until its last key expires`() throws {
        let table = try table(line(1, "billing", until: now), line(2, "dispatch", until: now + 10))
        #expect(table.hasValidKey(at: now + 9))
        #expect(!table.hasValidKey(at: now + 10))
        #expect(try self.table(line(1, "billing", until: 0), line(2, "dispatch")).hasValidKey(at: .max))
        #expect(try !self.table("# nothing").hasValidKey(at: 0))
    }

    @Test func `a key that the table does not list is unknown`() throws {
        let unlisted = try key(9).text
        for table in [try table(line(1, "billing")), try table(""), try table("# nothing", "", " \t\r")] {
            #expect(refusal(table, unlisted, at: now) == APIKeyRefusal(.unknown))
        }
    }

    @Test func `a text of another form is malformed, another spelling is unknown`() throws {
        let table = try table(line(1, "billing"))
        let text = try key(1).text
        let (end, start) = (String(text.dropFirst(4)), String(text.dropLast()))
        let others: [String] = [
            "", "tpk_", start, "\(text)A", "\(text)=", " \(text)", "\(text)\n", text.uppercased(), end, "TPK_\(end)",
        ]
        for other in others {
            #expect(refusal(table, other, at: now) == APIKeyRefusal(.malformed))
        }
        for other in ["\(start)F", "\(start)+", "\(start)=", "\(start)\0", "\(text.dropLast(2))\u{E9}"] {
            #expect(refusal(table, other, at: now) == APIKeyRefusal(.unknown))
        }
    }

    @Test func `digests with the same beginning are compared in full`() throws {
        let sound = try line(1, "billing")
        let digest = try #require(sound.split(separator: ":").last)
        let alike = "sha256:" + digest.dropLast() + (digest.last == "0" ? "1" : "0")
        let table = try table("impostor \(alike)", sound)
        #expect(try table.principal(of: Array(key(1).text.utf8), at: now).name == "billing")
        let without = try self.table("impostor \(alike)")
        #expect(refusal(without, try key(1).text, at: now)?.fault == .unknown)
    }

    @Test func `comments, blank lines, extra blanks and CRLF line ends are accepted`() throws {
        let text = """
            # keys of servers

              \t
            \t\(try line(1, "billing").replacing(" ", with: "  \t")) # the invoices
            \(try line(2, "dispatch", until: 0))#rotated\r
            """
        #expect(try table(text).names == ["billing", "dispatch"])
        #expect(try table(text.replacing("\n", with: "\r\n") + "\r\n").names == ["billing", "dispatch"])
    }

    @Test(
        arguments: [
            (.malformed, nil, "the API key is malformed; expected 47 characters as api-key new prints them"),
            (.unknown, nil, "the API key is not one of the configured keys"),
            (.expired, "billing", "the API key billing expired at 2023-11-14T22:13:20Z"),
        ] as [(APIKeyFault, String?, String)])
    func `a refusal is one sentence without content of the key`(fault: APIKeyFault, name: String?, sentence: String) {
        let refusal = APIKeyRefusal(fault, name: name, expiredAt: fault == .expired ? now : nil)
        #expect(refusal.sentence == sentence)
        // The audit log cuts what looks like a key.
        #expect(APIKey.beginning(in: refusal.sentence.utf8) == nil)
    }

    @Test func `every fault has its stable code`() {
        #expect(
            APIKeyFault.allCases.map(\.rawValue) == ["api_key_malformed", "api_key_unknown", "api_key_expired"])
    }
}
