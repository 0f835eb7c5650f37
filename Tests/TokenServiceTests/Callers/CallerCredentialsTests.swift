import Testing

@testable import HTTPServerSupport

@testable import TokenService

/// The credentials of a request.
@Suite struct CallerCredentialsTests {
    private static let key = "tpk_" + String(repeating: "A", count: 43)
    private static let keyField = "X-API-Key"

    private func credentials(
        _ fields: String..., keyField: String? = keyField, tokens: [String] = []
    ) throws -> CallerCredentials {
        try withRequest(fields) { CallerCredentials($0, in: CredentialFields(key: keyField, tokens: tokens)) }
    }

    private static func token(_ text: String) -> CallerCredentials { .token(Array(text.utf8)) }

    @Test(arguments: [
        "Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "bEaReR a.b.c", "Bearer    a.b.c", "  Bearer a.b.c  ",
    ])
    func `the bearer scheme is matched in any case, with extra spaces`(value: String) throws {
        #expect(try credentials("Authorization: \(value)") == Self.token("a.b.c"))
        #expect(try credentials("AUTHORIZATION: \(value)", keyField: nil) == Self.token("a.b.c"))
    }

    @Test(arguments: [
        "a.b.c", " \ta.b.c\r\n", "Bearer a.b.c\n", "bearer   a.b.c", "Authorization: Bearer a.b.c",
        "\nAUTHORIZATION:bearer a.b.c ",
        "authorization: a.b.c",
    ])
    func `a pasted token may include its scheme or the header name`(text: String) {
        #expect(CallerCredentials(pasted: Array(text.utf8)) == .token(Array("a.b.c".utf8), in: .anywhere))
    }

    @Test func `a pasted API key is recognized; empty text is an empty token`() {
        for text in [Self.key, "Bearer \(Self.key)\n"] {
            #expect(CallerCredentials(pasted: Array(text.utf8)) == .apiKey(Array(Self.key.utf8)))
        }
        #expect(CallerCredentials(pasted: Array("Bearer \n".utf8)) == Self.noToken)
        for text in ["", " \n"] { #expect(CallerCredentials(pasted: Array(text.utf8)) == .token([], in: .anywhere)) }
    }

    @Test func `spaces within a token are kept, so it cannot verify`() throws {
        #expect(try credentials("Authorization: Bearer a.b.c d") == Self.token("a.b.c d"))
    }

    @Test(arguments: [
        "", "Basic dXNlcjpwYXNz", "Bearera.b.c", "a.b.c", "Bearer\ta.b.c", "Digest a=b", "Beare\u{E9} x", "Bear", "b",
        "\"Bearer\" x", "Bearer: x",
    ])
    func `another authentication scheme is ignored`(value: String) throws {
        #expect(try credentials("Authorization: \(value)") == .foreign)
    }

    @Test(arguments: ["Bearer", "Bearer   ", "bearer"])
    func `a scheme without a token is unusable`(value: String) throws {
        #expect(try credentials("Authorization: \(value)") == Self.noToken)
    }

    @Test func `an API key is read from Authorization or its own header`() throws {
        #expect(try credentials("Authorization: Bearer \(Self.key)") == .apiKey(Array(Self.key.utf8)))
        #expect(try credentials("X-API-Key: \(Self.key)") == .apiKey(Array(Self.key.utf8)))
        #expect(try credentials("x-api-KEY: a.b.c") == .apiKey(Array("a.b.c".utf8)))
        #expect(try credentials("Authorization: Bearer tpk_") == .apiKey(Array("tpk_".utf8)))
    }

    @Test func `the API key header is ignored unless configured`() throws {
        #expect(try credentials("X-API-Key: \(Self.key)", keyField: nil) == .none)
        let both = try credentials("X-API-Key: \(Self.key)", "Authorization: Bearer a.b.c", keyField: nil)
        #expect(both == Self.token("a.b.c"))
    }

    @Test func `a token alone is read from a header of its issuers`() throws {
        let names = ["x-assertion", "x-other", "x-assertion"]
        let token = Array("a.b.c".utf8)
        #expect(try credentials("X-Assertion: a.b.c", tokens: names) == .token(token, in: .header("x-assertion")))
        #expect(try credentials("X-Other:  a.b.c ", tokens: names) == .token(token, in: .header("x-other")))
        #expect(try credentials("X-Assertion: a.b.c") == .none)
        #expect(try credentials("X-Assertion: \(Self.key)", tokens: names) != .apiKey(Array(Self.key.utf8)))
        for (other, headers) in [
            ("X-Assertion: a.b.c", ["x-assertion"]), ("X-Other: a.b.c", ["x-assertion", "x-other"]),
            ("Authorization: Bearer a.b.c", ["authorization", "x-assertion"]),
            ("X-API-Key: a", ["x-api-key", "x-assertion"]), ("X-Other:", ["x-assertion", "x-other"]),
        ] {
            #expect(try credentials("X-Assertion: a.b.c", other, tokens: names) == Self.repeated(headers))
        }
    }

    @Test func `a request without credential headers has no credentials`() throws {
        #expect(try credentials() == .none)
        #expect(try credentials("Proxy-Authorization: Bearer a.b.c", "Cookie: a=b") == .none)
    }

    @Test func `repeated or conflicting credentials are unusable`() throws {
        let (token, key) = ("Authorization: Bearer a.b.c", "X-API-Key: \(Self.key)")
        let both = Self.repeated(["authorization", "x-api-key"])
        #expect(try credentials(token, key) == both)
        #expect(try credentials(token, "X-API-Key:") == both)
        #expect(try credentials(token, token.lowercased()) == Self.repeated(["authorization"]))
        #expect(try credentials(key, key) == Self.repeated(["x-api-key"]))
        #expect(try credentials(token, token, key) == both)
    }

    private static let noToken = CallerCredentials.unusable(
        "the header authorization has no token; expected Bearer TOKEN")

    private static func repeated(_ names: [String]) -> CallerCredentials {
        names.count == 1
            ? .unusable("the header \(names[0]) has credentials more than once; expected it once")
            : .unusable("credentials are in \(names.joined(separator: " and ")); expected them in one header")
    }
}
