import Testing

@testable import HTTPServerSupport

@testable import TokenProvider
@testable import TokenService

/// The headers of `explain --header`, and which of them a back end gets.
@Suite struct GivenFieldsTests {
    private static let names = ["Cookie", "X-Tenant"]

    /// The error of the lines, if there is one.
    private func problem(_ lines: [String], besides flag: String? = nil) -> String? {
        do throws(GivenFieldError) {
            try GivenFields(lines).check(
                against: Self.names, CredentialFields(key: "X-API-Key", tokens: ["x-assertion"]), besides: flag)
            return nil
        } catch {
            return error.sentence
        }
    }

    private func shown(_ lines: [String], beside credentials: CallerCredentials = .none) throws -> [String] {
        let fields = ShownFields(try GivenFields(lines), of: Self.names, beside: credentials).fields
        return fields.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" }
    }

    @Test func `only headers that the daemon reads or passes on are accepted`() {
        #expect(problem([]) == nil)
        #expect(problem(["cookie: a", "X-TENANT:", "AUTHORIZATION: Basic x", "x-api-key: y", "X-Assertion: z"]) == nil)
        #expect(problem(["Cookie"]) == "--header has no colon; expected 'Name: value'")
        #expect(
            problem(["Cookie: a", "X-Other: b"])
                == "--header X-Other: serve ignores this header; expected Authorization, api_keys.header, "
                + "issuers[].header or a name of forward_auth.headers")
    }

    @Test(arguments: ["--as", "--certificate"])
    func `a credential header conflicts with a flag that names the caller`(flag: String) {
        for name in ["Authorization", "AUTHORIZATION", "X-Api-Key"] {
            #expect(
                problem(["\(name): Basic x"], besides: flag)
                    == "--header \(name): \(flag) already names the caller; expected one of them")
        }
        #expect(problem(["Cookie: a"], besides: flag) == nil)
    }

    @Test func `the back end gets a single Authorization header, then configured headers`() throws {
        let lines = [
            "x-tenant:  one ", "authorization: bearer  a.b.c", "X-API-Key: k", "Cookie: a=1:2", "X-Tenant: two",
        ]
        let others = ["cookie: a=1:2", "x-tenant: one", "x-tenant: two"]
        #expect(try shown(lines) == ["authorization: bearer  a.b.c"] + others)
        #expect(try shown(lines + ["Authorization: Basic x"]) == others)
        #expect(try shown(["X-API-Key: k"]) == [])
        #expect(try shown(["Cookie: a"], beside: .token(Array("t".utf8))) == ["authorization: Bearer t", "cookie: a"])
        #expect(ShownFields(try GivenFields(["COOKIE: a"]), of: Self.names, beside: .none).unsent == ["X-Tenant"])
    }

    @Test func `credentials from command-line headers match those of a request`() throws {
        let text = "tpk_" + String(repeating: "A", count: 43)
        let key = "X-API-Key: \(text)"
        let bearer = "Authorization: Bearer a.b.c"
        let requests: [[String]] = [
            [], [bearer], ["AUTHORIZATION:bearer  a.b.c \t"], ["Authorization: Basic dTpw"], ["Authorization:"],
            ["Authorization: Bearer"], ["Authorization: Bearer \(text)"], [key], ["x-api-key: a.b.c"],
            [bearer, key], [bearer, bearer], [key, key], ["Authorization: Basic dTpw", key], ["Cookie: a=b"],
            ["X-Assertion: a.b.c"], ["X-ASSERTION:a.b.c", bearer], ["X-Assertion: a", "X-Assertion: a"],
        ]
        for fields in requests {
            for name in ["X-API-Key", nil] {
                let own = CredentialFields(key: name, tokens: ["x-assertion"])
                let asked = try withRequest(fields) { CallerCredentials($0, in: own) }
                #expect(CallerCredentials(try GivenFields(fields), in: own) == asked, "\(fields)")
            }
        }
    }
}
