import ChildProcess
import Foundation
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// Subject tokens of files and URLs, and their exchange.
struct TokenExchangeTests {
    private static let start =
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&audience=%2F%2Fiam.googleapis.com%2F"
        + "projects%2F1%2Flocations%2Fglobal%2FworkloadIdentityPools%2Fp%2Fproviders%2Fq&scope=a+b&"
        + "requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token&"
        + "subject_token=canary.subject&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt"
    private let form = "content-type: application/x-www-form-urlencoded"
    private let client = ExternalAccount.ClientCredentials(id: "client", secret: Secret("canary:secret"))

    private func request(
        client: ExternalAccount.ClientCredentials? = nil, project: String? = nil
    ) throws -> TokenRequest<AccessToken> {
        try TokenExchange.request(
            TestFile.externalAccount(.file(path: "/x", .text), client: client, project: project),
            subjectToken: Secret("canary.subject"), scopes: ["a", "b"], at: now)
    }

    @Test func `an exchange posts the subject token and the audience`() throws {
        #expect(
            try FakeService.Seen(request().request)
                == .init(
                    method: "POST", url: "https://sts.googleapis.com/v1/token", fields: [form], body: Self.start))
        #expect(
            try result(request(), .ok("{\"access_token\":\"x\",\"expires_in\":3600}")).get().expiresAt == now + 3600)
    }

    @Test func `a client is authenticated by HTTP Basic, and names no project`() throws {
        let seen = try FakeService.Seen(request(client: client, project: "p").request)
        #expect(seen.fields == [form, "authorization: Basic Y2xpZW50OmNhbmFyeTpzZWNyZXQ="])
        #expect(seen.body == Self.start)
    }

    @Test func `a workforce user's project is an option in JSON, encoded twice`() throws {
        let seen = try FakeService.Seen(request(project: "my-project").request)
        #expect(seen.body == Self.start + "&options=%257B%2522userProject%2522%253A%2522my-project%2522%257D")
    }

    @Test func `a refusal repeats neither the subject token nor the client's secret`() throws {
        for secret in ["canary.subject", "canary:secret"] {
            let body = "{\"error\":\"invalid_grant\",\"error_description\":\"wrong: \(secret)\"}"
            #expect(
                try failure(request(client: client), .status(400, body)).sentence
                    == "sts.googleapis.com:443 answered with the status 400, expected 200: "
                    + "invalid_grant: (hidden)")
        }
    }

    @Test func `a file is read again for each exchange`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "subject-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for token in ["first", "second"] {
            try Data("\(token)\n".utf8).write(to: URL(filePath: path))
            #expect(try SubjectToken.read(path, .text).value == token)
        }
        try Data(repeating: 120, count: 65_537).write(to: URL(filePath: path))
        let error = #expect(throws: AccessTokenError.self) { try SubjectToken.read(path, .text) }
        #expect(error?.sentence == "the subject token file \(path) is over 64 KiB; expected less")
    }

    @Test func `a missing file is one sentence and may come later`() {
        let error = #expect(throws: AccessTokenError.self) { try SubjectToken.read("/no/such/file", .text) }
        #expect(
            error?.sentence
                == "the subject token file /no/such/file cannot be opened: No such file or directory")
        #expect(error?.isTransient == true)
    }

    @Test(arguments: [
        ("  token\r\n", ExternalAccount.SubjectTokenFormat.text, "token"),
        ("{\"t\":\"token\",\"u\":1}", .json(member: "t"), "token"), ("{\"t\":\"a b\"}", .json(member: "t"), "a b"),
    ])
    func `a subject token is text or a member of JSON`(
        content: String, format: ExternalAccount.SubjectTokenFormat, token: String
    ) throws {
        #expect(try SubjectToken.token(in: Array(content.utf8), format).value == token)
    }

    @Test(arguments: [
        (" \n", ExternalAccount.SubjectTokenFormat.text, "is empty; expected a token"),
        ("", .json(member: "t"), "is not a JSON object; expected one, as the format is json"),
        ("canary", .json(member: "t"), "is not a JSON object; expected one, as the format is json"),
        ("[\"canary\"]", .json(member: "t"), "is not a JSON object; expected one, as the format is json"),
        (
            "{\"canary\":\"canary\"}", .json(member: "t"),
            "has no text in the member t; expected the token, as subject_token_field_name says"
        ),
        (
            "{\"t\":7}", .json(member: "t"),
            "has no text in the member t; expected the token, as subject_token_field_name says"
        ),
        ("{\"t\":\" \"}", .json(member: "t"), "is empty; expected a token"),
    ])
    func `content without a subject token is refused`(
        content: String, format: ExternalAccount.SubjectTokenFormat, problem: String
    ) throws {
        let url = try OutgoingURL("https://provider.googleapis.com/token?q=canary")
        let request = try SubjectToken.request(url, [HTTPClientField("X-Key", "canary-key")], format)
        #expect(
            FakeService.Seen(request.request) == .init(method: "GET", url: url.text, fields: ["x-key: canary-key"]))
        #expect(
            try failure(request, .ok(content)).sentence
                == "provider.googleapis.com:443 answered with a subject token that \(problem)")
    }

    @Test func `a subject token that is not UTF-8 is refused`() {
        let error = #expect(throws: SubjectTokenFault.self) { try SubjectToken.token(in: [0xFF], .text) }
        #expect(error?.predicate == "is not UTF-8; expected the text of a token")
    }
}
