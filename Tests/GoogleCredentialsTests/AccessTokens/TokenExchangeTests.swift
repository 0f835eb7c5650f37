import TestSupport
import Foundation
import StrictJSON
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

    private func exchange(
        _ service: FakeService = FakeService(.ok("{\"access_token\":\"x\",\"expires_in\":3600}")),
        client: ExternalAccount.ClientCredentials? = nil, project: String? = nil
    ) async throws -> (AccessToken, FakeService.Seen?) {
        let account = try TestFile.externalAccount(.file(path: "/x", .text), client: client, project: project)
        let token = try await TokenExchange.token(
            account, subjectToken: Secret("canary.subject"), scopes: ["a", "b"], at: now, by: service.send)
        return (token, service.seen.first)
    }

    @Test func `an exchange posts the subject token and the audience`() async throws {
        let (token, seen) = try await exchange()
        #expect(
            seen
                == .init(
                    method: "POST", url: "https://sts.googleapis.com/v1/token", fields: [form], body: Self.start))
        #expect(token.expiresAt == now + 3600)
    }

    @Test func `a client is authenticated by HTTP Basic, and names no project`() async throws {
        let seen = try #require(try await exchange(client: client, project: "p").1)
        #expect(seen.fields == [form, "authorization: Basic Y2xpZW50OmNhbmFyeTpzZWNyZXQ="])
        #expect(seen.body == Self.start)
    }

    @Test func `a workforce user's project is an option in JSON, encoded twice`() async throws {
        let seen = try #require(try await exchange(project: "my-project").1)
        #expect(seen.body == Self.start + "&options=%257B%2522userProject%2522%253A%2522my-project%2522%257D")
    }

    @Test func `a refusal repeats neither the subject token nor the client's secret`() async throws {
        for secret in ["canary.subject", "canary:secret"] {
            let body = "{\"error\":\"invalid_grant\",\"error_description\":\"wrong: \(secret)\"}"
            let error = try await #require(throws: AccessTokenError.self) {
                try await exchange(FakeService(.status(400, body)), client: client)
            }
            #expect(
                error.sentence
                    == "sts.googleapis.com:443 answered with the status 400, expected 200: "
                    + "invalid_grant: (hidden)")
            #expect(!"\(error)".contains("canary"))
        }
    }

    @Test func `a file is read again for each exchange`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "subject-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for token in ["first", "second"].map(TestFile.jwt) {
            try Data("\(token)\n".utf8).write(to: URL(filePath: path))
            #expect(try SubjectToken.read(path, .text, .jwt).value == token)
        }
        try Data(repeating: 120, count: 65_537).write(to: URL(filePath: path))
        let error = #expect(throws: AccessTokenError.self) { try SubjectToken.read(path, .text, .jwt) }
        #expect(error?.sentence == "the subject token file \(path) is over 64 KiB; expected less")
    }

    @Test func `content of another form does not pass, an empty file may`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "subject-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (content, isTransient) in [("canary", false), ("", true)] {
            try Data(content.utf8).write(to: URL(filePath: path))
            let error = #expect(throws: AccessTokenError.self) { try SubjectToken.read(path, .text, .jwt) }
            #expect(error?.isTransient == isTransient)
            #expect(error?.sentence.contains("canary") == false)
        }
    }

    @Test func `a missing file is one sentence and may come later`() {
        let error = #expect(throws: AccessTokenError.self) { try SubjectToken.read("/no/such/file", .text, .jwt) }
        #expect(
            error?.sentence
                == "the subject token file /no/such/file cannot be opened: No such file or directory")
        #expect(error?.isTransient == true)
    }

    @Test(arguments: [
        ("  TOKEN\r\n", ExternalAccount.SubjectTokenFormat.text), ("{\"t\":\"TOKEN\",\"u\":1}", .json(member: "t")),
        ("{\"t\":\" TOKEN \"}", .json(member: "t")),
    ])
    func `a subject token is text or a member of JSON`(
        content: String, format: ExternalAccount.SubjectTokenFormat
    ) throws {
        let token = TestFile.jwt("token")
        let content = content.replacing("TOKEN", with: token)
        #expect(try SubjectToken.token(in: Array(content.utf8), format, .jwt).value == token)
    }

    @Test(arguments: [false, true])
    func `an assertion of SAML is a subject token in base64`(isOfURLs: Bool) throws {
        func encode(_ text: String) -> String {
            isOfURLs ? String(decoding: Base64URL.encode(Array(text.utf8)), as: UTF8.self) : Base64.encode(text)
        }
        let token = encode("<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">>>??</saml:Assertion>")
        #expect(try SubjectToken.token(in: Array("\(token)\n".utf8), .text, SubjectTokenType(Self.saml)).value == token)
        let others = [
            encode("<x/>"), encode("urn:oasis:names:tc:SAML:2.0:assertion"), "\(token)===",
            "\(token.prefix(40))\n\(token.dropFirst(40))", TestFile.jwt("token"),
        ]
        for other in others {
            let fault = #expect(throws: SubjectTokenFault.self) {
                try SubjectToken.token(in: Array(other.utf8), .text, .saml)
            }
            #expect(fault?.predicate.hasPrefix("is not an assertion of SAML 2.0 in base64; expected one") == true)
        }
    }

    private static let saml = "urn:ietf:params:oauth:token-type:saml2"

    @Test func `content of another form than a JWT is not sent`() throws {
        let jwt = TestFile.jwt("token")
        let parts = jwt.split(separator: ".").map(String.init)
        let others = [
            "canary", "canary.canary.canary", "\(parts[0]).\(parts[1])", "\(jwt).x", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1]).a\nb", "\(parts[0]) .\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[2]).\(parts[2])",
            "\(parts[2]).\(parts[1]).\(parts[2])", "-----BEGIN PRIVATE KEY-----\nMIIE",
            "root:x:0:0:root:/root:/bin/bash",
        ]
        for content in others {
            let fault = #expect(throws: SubjectTokenFault.self) {
                try SubjectToken.token(in: Array(content.utf8), .text, .jwt)
            }
            #expect(fault?.predicate == "is not a JWT; expected one, as subject_token_type says", "\(content)")
        }
        // As the author of a credentials file may name a member of another one.
        let file = "{\"client_secret\":\"canary-secret\"}"
        #expect(throws: SubjectTokenFault.self) {
            try SubjectToken.token(in: Array(file.utf8), .json(member: "client_secret"), .jwt)
        }
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
    ) async throws {
        let url = try OutgoingURL("https://provider.googleapis.com/token?q=canary")
        let (service, key) = (FakeService(.ok(content)), try HTTPClientField("X-Key", "canary-key"))
        let error = try await failure { () throws(AccessTokenError) in
            try await SubjectToken.fetch(url, [key], format, .jwt, by: service.send)
        }
        #expect(service.seen == [.init(method: "GET", url: url.text, fields: ["x-key: canary-key"])])
        #expect(error.sentence == "provider.googleapis.com:443 answered with a subject token that \(problem)")
    }

    @Test func `a subject token that is not UTF-8 is refused`() {
        let error = #expect(throws: SubjectTokenFault.self) { try SubjectToken.token(in: [0xFF], .text, .jwt) }
        #expect(error?.predicate == "is not UTF-8; expected the text of a token")
    }
}
