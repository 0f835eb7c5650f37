import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// Answers of token endpoints, by the example of the refresh-token grant.
struct TokenAnswerTests {
    private func token(_ answer: FakeService.Answer) async throws -> AccessToken {
        try await TestFile.user().token(at: now, by: FakeService(answer).send)
    }

    private func failure(_ answer: FakeService.Answer) async throws -> AccessTokenError {
        let user = try TestFile.user()
        return try await GoogleCredentialsTests.failure { () throws(AccessTokenError) in
            try await user.token(at: now, by: FakeService(answer).send)
        }
    }

    @Test(arguments: [
        ("3599", 3599), ("\"3599\"", 3599), ("3599.9", 3599), ("36e2", 3600), ("1", 1), ("43200", 43_200),
        ("43201", 43_200), ("9223372036854775807", 43_200), ("1e400", 43_200), ("\"99999999999999999999999\"", 43_200),
        ("null", 300),
    ])
    func `expires_in is a number or a text, at most 12 hours`(text: String, seconds: Int64) async throws {
        let token = try await token(.ok("{\"access_token\":\"ya29.x\",\"expires_in\":\(text)}"))
        #expect(token.expiresAt == now + seconds)
        #expect(token.value.value == "ya29.x")
    }

    @Test func `a token without expires_in is used for five minutes`() async throws {
        let token = try await token(.ok("{\"access_token\":\"x\",\"token_type\":\"bearer\"}"))
        #expect(token.expiresAt == now + 300)
    }

    @Test(arguments: ["0", "-1", "0.9", "\"0\"", "\"-5\"", "-9223372036854775808", "-1e400"])
    func `expires_in below 1 is refused`(text: String) async throws {
        let error = try await failure(.ok("{\"access_token\":\"canary\",\"expires_in\":\(text)}"))
        #expect(
            error.sentence
                == "oauth2.googleapis.com:443 answered with an expires_in below 1; expected seconds to come")
    }

    @Test(arguments: ["true", "\"\"", "\"soon\"", "[]", "{}", "\"0x10\"", "\"nan\"", "\"inf\"", "\" 5\""])
    func `expires_in that is not a number is refused`(text: String) async throws {
        let error = try await failure(.ok("{\"access_token\":\"canary\",\"expires_in\":\(text)}"))
        #expect(
            error.sentence
                == "oauth2.googleapis.com:443 answered with an expires_in that is not a number; expected seconds")
    }

    @Test(arguments: [
        ("", "something other than JSON: it is empty at byte 0; expected a value"),
        ("<html>canary", "something other than JSON: it has something other than a value at byte 0; expected a value"),
        ("[\"canary\"]", "JSON that is not an object; expected one"),
        ("{\"access_token\":\"\"}", "an empty access_token; expected a text"),
        ("{\"access_token\":7}", "access_token that is not a text; expected one"),
        (
            "{\"access_token\":\"canary x\"}",
            "an access_token that holds other characters than a token; expected visible ASCII"
        ),
        (
            "{\"access_token\":\"canary\\u000d\\u000a\"}",
            "an access_token that holds other characters than a token; expected visible ASCII"
        ),
        (
            "{\"access_token\":\"canary\",\"token_type\":\"mac\"}",
            "a token_type other than Bearer; expected Bearer"
        ),
    ])
    func `a broken answer is one sentence with the endpoint`(body: String, problem: String) async throws {
        let error = try await failure(.ok(body))
        #expect(error.sentence == "oauth2.googleapis.com:443 answered with \(problem)")
        #expect(!error.isTransient && error.status == nil)
    }

    @Test func `an answer without a token or over 64 KiB is refused`() async throws {
        #expect(
            try await failure(.ok("{\"expires_in\":1}")).sentence
                == "oauth2.googleapis.com:443 answered without access_token; expected a text")
        let large = "{\"access_token\":\"\(String(repeating: "canary", count: 11_000))\"}"
        #expect(
            try await failure(.ok(large)).sentence
                == "oauth2.googleapis.com:443 answered with a body of more than 65536 bytes; expected less")
        let service = FakeService()
        _ = try? await TestFile.user().token(at: now, by: service.send)
        #expect(service.requests[0].limits.maxBodyBytes == 65_536)
    }

    @Test(arguments: [
        (400, false), (401, false), (403, false), (404, false), (302, false), (408, true), (429, true), (500, true),
        (502, true), (503, true), (504, true), (201, false),
    ])
    func `another status than 200 is refused, some as transient`(status: Int, isTransient: Bool) async throws {
        let error = try await failure(.status(status, "canary"))
        #expect(error.sentence == "oauth2.googleapis.com:443 answered with the status \(status), expected 200")
        #expect(error.isTransient == isTransient && error.status == status)
    }

    @Test(arguments: [
        (HTTPClientError.Cause.cannotConnect(reason: "x"), true), (.timeout(.answering, after: .seconds(10)), true),
        (.busy(waiting: 3), true), (.other(reason: "x"), true), (.tls(reason: "x"), false),
        (.redirect(reason: "x"), false), (.tooLarge(part: "a body", limit: 3), false),
    ])
    func `a request without an answer is the client's sentence`(
        cause: HTTPClientError.Cause, isTransient: Bool
    ) async throws {
        let error = try await failure(.failure(cause))
        #expect(error.sentence == HTTPClientError(endpoint: "oauth2.googleapis.com:443", cause: cause).sentence)
        #expect(error.isTransient == isTransient)
    }

    @Test(arguments: [
        ("2026-01-31T09:05:01Z", now + 1), ("2026-01-31T09:05:00.999999999Z", now), ("2026-01-31T09:05:00.5Z", now),
    ])
    func `a time of Google is read with and without a fraction`(text: String, seconds: Int64) {
        #expect(TokenAnswer.epochSeconds(Array(text.utf8)) == seconds)
    }

    @Test(arguments: [
        "", "Z", "2026-01-31T09:05:00", "2026-01-31T09:05:00.Z", "2026-01-31T09:05:00.1234567890Z",
        "2026-01-31T09:05:00+00:00", "2026-01-31T09:05:00,5Z", "2026-02-30T09:05:00Z", "2026-01-31 09:05:00Z",
        "2026-01-31T09:05:00.x5Z", "2026-01-31T09:05:0Z",
    ])
    func `another form of time is refused`(text: String) {
        #expect(TokenAnswer.epochSeconds(Array(text.utf8)) == nil)
    }
}
