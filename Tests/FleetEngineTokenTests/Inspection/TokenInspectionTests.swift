import FleetEngineToken
import Testing

@Suite struct TokenInspectionTests {
    static let corpus: [BrokenToken] =
        BrokenToken.texts + BrokenToken.headers + BrokenToken.registered + BrokenToken.meantForOthers
        + BrokenToken.times
        + BrokenToken.authorizations

    @Test(arguments: corpus)
    func `all that is wrong with a broken token is said, and nothing else`(broken: BrokenToken) {
        #expect(inspect(broken.text).lines == broken.lines)
    }

    @Test func `the corpus has every code but those that need a key, and each finding says what to do`() {
        #expect(Self.corpus.count >= 45)
        let findings = Self.corpus.flatMap { inspect($0.text).findings }
        let needKey: Set<TokenFinding.Code> = [.keyIDUnlikeKey, .issuerUnlikeKey]
        #expect(Set(findings.map(\.code)) == Set(TokenFinding.Code.allCases).subtracting(needKey))
        #expect(findings.allSatisfy { !$0.fix.isEmpty })
    }

    @Test func `each finding's fix is the one that the table has for its code`() {
        var fixes: [TokenFinding.Code: [String]] = [:]
        let byKey = [true, false].flatMap { isVerified in
            [TokenFinding.keyIDUnlikeKey("k", isVerified: isVerified), .issuerUnlikeKey("a", isVerified: isVerified)]
        }
        for finding in Self.corpus.flatMap({ inspect($0.text).findings }) + byKey
        where fixes[finding.code]?.contains(finding.fix) != true {
            fixes[finding.code, default: []].append(finding.fix)
        }
        for code in TokenFinding.Code.allCases { #expect(fixes[code] == BrokenToken.fixes[code], "\(code)") }
    }

    @Test func `everything that is wrong is said at once`() {
        let draft = TokenDraft {
            $0.header = ["alg": #""HS256""#]
            $0.claims = ["iss": "1", "aud": "[]", "exp": "1", "authorization": #"{"tripID":"t"}"#]
            $0.signature = []
        }
        let codes = inspect(draft.token).findings.map(\.code.rawValue)
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
    func `a token is found in what people paste`(pasted: String) {
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
    func `a token is found in the JSON of an answer, and its member is named`(answer: String, member: String) {
        let inspection = inspect(answer.replacing("@", with: TokenDraft().token))
        #expect(inspection.findings.isEmpty)
        #expect(inspection.member == member)
    }

    @Test func `times are told as dates and by how far they are away`() throws {
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
}
