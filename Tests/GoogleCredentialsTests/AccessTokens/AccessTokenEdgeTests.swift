import Concurrency
import TestSupport
import Foundation
import StrictJSON
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// Tokens over real connections.
struct AccessTokenEdgeTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Support/token_server.py").path

    private let port: Int
    private let process: Child
    private let client: OutgoingClient

    init() throws {
        let output = try OutputPipe()
        process = try Child(["python3", Self.script], output: .pipe(output))
        let line = try output.read { $0.contains("\n") }
        port = try #require(Int(line.trimmingCharacters(in: .newlines)))
        client = try OutgoingClient(HTTPClientSettings())
    }

    private func fetch(_ credentials: AccessCredentials) async -> Result<AccessToken, AccessTokenError> {
        let fetcher = AccessTokenFetcher(
            credentials, in: nil, scopes: ["a", "b"], environment: [:], send: client.answer, clock: .standingStill)
        return await Result(awaiting: fetcher.source().get)
    }

    private func url(_ path: String) throws -> OutgoingURL { try OutgoingURL("http://127.0.0.1:\(port)/\(path)") }

    @Test func `a refresh token becomes an access token`() async throws {
        let user = try TestFile.user("http://127.0.0.1:\(port)/token")
        let token = try await fetch(.file(.authorizedUser(user))).get()
        #expect(token.value.value == "of-a-person" && token.expiresAt == now + 3600)
    }

    @Test func `a refused refresh token is one sentence without it`() async throws {
        let user = AuthorizedUser(
            clientID: "id", clientSecret: Secret("canary-client-secret"), refreshToken: Secret("canary-other"),
            tokenURL: try url("token"), quotaProject: nil)
        guard case .failure(let error) = await fetch(.file(.authorizedUser(user))) else {
            throw AccessTokenError("a success; expected a failure")
        }
        #expect(
            error.sentence
                == "127.0.0.1:\(port) answered with the status 400, expected 200: "
                + "invalid_grant: (hidden)")
        #expect(error.status == 400 && !error.isTransient)
    }

    @Test func `the metadata server of the environment is present and gives a token`() async throws {
        let server = try MetadataServer(environment: ["GCE_METADATA_HOST": "127.0.0.1:\(port)"])
        let isPresent = await server.absence(client.answer) == nil
        #expect(isPresent)
        let token = try await fetch(.metadataServer(server)).get()
        #expect(token.value.value == "of-a-machine-scopes=a%2Cb" && token.expiresAt == now + 60)
    }

    @Test func `AWS metadata with a session becomes a signed subject token`() async throws {
        let source = ExternalAccount.AWSSource(
            regionURL: try url("zone"), credentialsURL: try url("roles"),
            verificationURL: "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
            sessionTokenURL: try url("api/token"))
        let account = ExternalAccount(
            audience: TestFile.audience, subjectTokenType: "urn:ietf:params:aws:token-type:aws4_request",
            tokenURL: try url("sts"), source: .aws(source), impersonation: nil, client: nil, workforceUserProject: nil,
            quotaProject: nil)
        let token = try await fetch(.file(.externalAccount(account))).get().value.value
        let json = try JSONValue(parsing: #require(PercentEncoding.decode(Array(token.utf8))))
        guard case .object(let members) = json, case .array(let headers)? = members["headers"] else {
            throw AccessTokenError("another token; expected a signed request")
        }
        #expect(
            members["url"]
                == .string("https://sts.us-east-1.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"))
        #expect(headers.contains(.object(["key": .string("x-amz-security-token"), "value": .string("t")])))
    }
}
