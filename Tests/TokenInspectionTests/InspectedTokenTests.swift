import Testing

@testable import TokenInspection

@Suite struct InspectedTokenTests {
    static let corpus: [BrokenToken] =
        BrokenToken.texts + BrokenToken.credentials + BrokenToken.headers + BrokenToken.registered
        + BrokenToken.meantForOthers + BrokenToken.times + BrokenToken.authorizations

    /// All tables, whose properties are their rows.
    private static let tables: [any Sendable] = [
        PastedFindings(), StructureFindings(), HeaderFindings(), RegisteredClaimFindings(), TimeFindings(),
        AuthorizationFindings(), KeyFindings(),
    ]

    private static func codes(_ tables: [any Sendable]) -> Set<String> {
        Set(tables.flatMap { Mirror(reflecting: $0).children.compactMap { ($0.value as? FindingRow)?.code } })
    }

    @Test(arguments: corpus)
    func `a broken token has exactly the expected findings`(broken: BrokenToken) {
        #expect(inspect(broken.text).lines == broken.lines)
    }

    @Test func `the corpus has every code that needs no key`() {
        #expect(Self.corpus.count >= 80)
        let findings = Self.corpus.flatMap { inspect($0.text).findings }
        #expect(Set(findings.map(\.code)) == Self.codes(Self.tables).subtracting(Self.codes([KeyFindings()])))
        #expect(findings.allSatisfy { !$0.fix.isEmpty })
    }

    @Test func `no finding keeps a placeholder of its row`() {
        for finding in Self.corpus.flatMap({ inspect($0.text).findings }) {
            #expect(!"\(finding.problem) \(finding.fix)".contains(/{[0-9]}/), "\(finding.code)")
        }
    }

    @Test func `values are not searched for placeholders`() {
        let row = FindingRow("x", as: .note, "{0} and {1}", fix: "{1} for {0}")
        let finding = row("{1}", "{0}", about: "c")
        #expect(finding.problem == "{1} and {0}")
        #expect(finding.fix == "{0} for {1}")
        #expect(finding.claim == "c")
    }

    @Test func `no finding shows a pasted secret`() {
        let secrets: [Substring] = [
            BrokenToken.secret.dropFirst(4), "AIzaSyA-0123", "a0AfH6SMBx", "0gabc", "user:secret", "eDp5",
        ]
        for finding in (BrokenToken.texts + BrokenToken.credentials).flatMap({ inspect($0.text).findings }) {
            let shown = "\(finding.problem) \(finding.fix) \(finding.claim ?? "")"
            for secret in secrets { #expect(!shown.contains(secret), "\(finding.code)") }
        }
    }

    @Test func `a token after Bearer twice is inspected all the same`() {
        let inspection = inspect("Bearer Bearer \(TokenDraft { $0.claims["aud"] = nil }.token)")
        #expect(inspection.findings.map(\.code) == ["bearer_twice", "aud_missing"])
        #expect(inspection.purpose?.kinds == [.consumer])
    }

    @Test func `each finding's fix is in the table for its code`() {
        var fixes: [String: [String]] = [:]
        let table = KeyFindings()
        let byKey = [table.keyIDSigned("k"), table.keyIDOther("k"), table.issuerSigned("a"), table.issuerOther("a")]
        for finding in Self.corpus.flatMap({ inspect($0.text).findings }) + byKey
        where fixes[finding.code]?.contains(finding.fix) != true {
            fixes[finding.code, default: []].append(finding.fix)
        }
        for code in Self.codes(Self.tables) {
            #expect(fixes[code] == BrokenToken.fixes[code], "\(code)")
        }
    }

    @Test func `all faults of a token are reported at once`() {
        let draft = TokenDraft {
            $0.header = ["alg": #""HS256""#]
            $0.claims = ["iss": "1", "aud": "[]", "exp": "1", "authorization": #"{"tripID":"t"}"#]
            $0.signature = []
        }
        let codes = inspect(draft.token).findings.map(\.code)
        #expect(
            codes == [
                "alg_not_rs256", "typ_not_jwt", "kid_missing", "iss_not_service_account", "sub_missing", "aud_array",
                "time_missing", "expired", "claim_misspelled", "signature_missing",
            ])
    }

    @Test(arguments: [
        "TOKEN", "  TOKEN\n", "\"TOKEN\"", "'TOKEN',", "Bearer TOKEN", "bearer  TOKEN", "Authorization: Bearer TOKEN",
        "authorization:Bearer TOKEN", "\"Authorization\": \"Bearer TOKEN\"", "token=TOKEN", "\u{FEFF}TOKEN\u{200B}",
        "“TOKEN”", "`TOKEN`", #""jwt": "TOKEN","#, "TOKEN TOKEN", "\"TOKEN\"\n\"TOKEN\"",
        "curl -H 'Authorization: Bearer TOKEN' https://fleetengine.googleapis.com/v1/x",
        "curl -s \\\n  -H \"authorization:Bearer TOKEN\" \\\n  https://x", "curl --oauth2-bearer TOKEN https://x",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nTOKEN\n",
    ])
    func `a token is found in pasted text`(pasted: String) {
        let inspection = inspect(pasted.replacing("TOKEN", with: TokenDraft().token))
        #expect(inspection.findings.isEmpty)
        #expect(inspection.purpose?.kinds == [.consumer])
        #expect(inspection.member == nil)
    }

    @Test(arguments: [
        (#"{"jwt":"@","expirationTimestamp":1}"#, "jwt"),
        (#"{"TRIP_TOKEN_KEY":"@","VEHICLE_TOKEN_KEY":"@","TOKEN_EXPIRATION":1}"#, "TRIP_TOKEN_KEY"),
        (#"{"data":{"tokens":[{"value":" Bearer @"}]}}"#, "value"),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"jwt\":\"@\"}", "jwt"),
        ("HTTP/2 200\ncontent-type: application/json\n\n{\"token\":\"@\"}\n", "token"),
        (#"{"access_token":"ya29.x","id_token":"@"}"#, "id_token"),
    ])
    func `a token in JSON is found and its member named`(answer: String, member: String) {
        let inspection = inspect(answer.replacing("@", with: TokenDraft().token))
        #expect(inspection.findings.isEmpty)
        #expect(inspection.member == member)
    }

    @Test func `times are shown as dates and distances`() throws {
        let token = TokenDraft().token
        let times = try #require(inspect(token).times)
        #expect(times.issuedAt == 1_699_999_700)
        #expect(times.expiresAt == 1_700_003_300)
        #expect(times.phrase == "expires in 55 min")
        #expect(inspect(token, at: 1_700_003_299).times?.phrase == "expires in 1 s")
        #expect(inspect(token, at: 1_700_003_300).times?.phrase == "expired 0 s ago")
        #expect(inspect(token, at: 1_700_003_300 + 10_800).times?.phrase == "expired 3 h ago")
        #expect(inspect(token, at: 1_700_003_300 + 172_800).times?.phrase == "expired 2 d ago")
        for now in [Int64.min, -1, 0, Int64.max] { #expect(inspect(token, at: now).isRefused) }
    }

    @Test(arguments: ["", "eyJ", "{\"a\":\""])
    func `a character of 48 kB is refused`(beginning: String) {
        let text = beginning + "e" + String(repeating: "\u{301}\u{316}", count: 12_000)
        #expect(InspectedToken(of: Array(text.utf8), at: TokenDraft.now).isRefused)
    }

    @Test func `no prefix or changed byte of pasted text yields control characters`() {
        let text = Array("Bearer \(TokenDraft().token)".utf8)
        for index in stride(from: 0, to: text.count, by: 7) {
            for byte: UInt8 in [0, 0x0A, 0x1B, 0x22, 0x2E, 0x3A, 0x7B, 0x80, 0x9B, 0xE2, 0xFF] {
                var changed = text
                changed[index] = byte
                expectNoControls(InspectedToken(of: changed, at: TokenDraft.now))
                expectNoControls(InspectedToken(of: Array(text[..<index]) + [byte], at: TokenDraft.now))
            }
        }
    }

    private func expectNoControls(_ token: InspectedToken) {
        for line in token.lines {
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }
}
