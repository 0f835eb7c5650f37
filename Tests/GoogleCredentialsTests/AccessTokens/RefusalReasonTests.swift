import Testing

@testable import GoogleCredentials

struct RefusalReasonTests {
    private func text(_ body: String, hiding secrets: String...) -> String? {
        RefusalReason(Array(body.utf8), hiding: secrets.map { Secret($0) })?.text
    }

    @Test func `an OAuth 2.0 error is repeated with its description`() {
        #expect(
            text("{\"error\":\"invalid_grant\",\"error_description\":\"Bad Request\"}") == "invalid_grant: Bad Request")
        #expect(text("{\"error\":\"invalid_grant\"}") == "invalid_grant")
        #expect(text("{\"error\":\"invalid_grant\",\"error_description\":7}") == "invalid_grant")
    }

    @Test func `an error of Google's APIs is repeated with its reason`() {
        let body = """
            {"error":{"code":403,"message":"Permission denied","status":"PERMISSION_DENIED","details":[{"x":1},
            {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"IAM_PERMISSION_DENIED"}]}}
            """
        #expect(text(body) == "PERMISSION_DENIED: IAM_PERMISSION_DENIED: Permission denied")
    }

    @Test(arguments: ["", "nothing", "[]", "{}", "{\"error\":7}", "{\"error\":\"\"}", "{\"error\":{}}"])
    func `another body gives no reason`(body: String) {
        #expect(text(body) == nil)
    }

    @Test func `a description is escaped and cut at 128 characters`() {
        #expect(text("{\"error\":\"a\\u001b[2J\\u202e\"}") == "a\\u001b[2J\\u202e")
        let long = String(repeating: "x", count: 129)
        #expect(text("{\"error\":\"\(long)\"}") == "\(long.dropLast())…")
        #expect(text("{\"error\":\"\(long.dropLast())\"}") == String(long.dropLast()))
        #expect(text("{\"error\":\"\(String(repeating: "\\n", count: 100))\"}")?.unicodeScalars.count == 129)
    }

    @Test(arguments: [
        "canary-secret", "is canary-secret wrong?", "canary-s", "nary-secr…", "pin", "eyJhbGciOiJ", "ya29.A0",
        "\(String(repeating: "x", count: 125))canary-secret",
    ])
    func `a text that holds part of a secret is left out`(description: String) {
        let reason = text(
            "{\"error\":\"invalid_request\",\"error_description\":\"\(description)\"}", hiding: "", "canary-secret",
            "pin")
        #expect(reason == "invalid_request: (hidden)")
    }

    @Test func `fewer than 8 bytes in common with a secret are shown`() {
        #expect(text("{\"error\":\"canary-\"}", hiding: "canary-secret") == "canary-")
    }

    @Test(arguments: ["server_error", "temporarily_unavailable", "internal_failure"])
    func `some codes say that another try may succeed`(code: String) async throws {
        let user = try TestFile.user()
        for (code, isTransient) in [(code, true), ("invalid_grant", false)] {
            let send = FakeService(.status(400, "{\"error\":\"\(code)\"}")).send
            let error = try await failure { () throws(AccessTokenError) in try await user.token(at: now, by: send) }
            #expect(error.isTransient == isTransient)
        }
    }
}
