import Concurrency
import Foundation
import StrictJSON
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// The order of requests for each type of credentials.
struct AccessTokenFetcherTests {
    private typealias Seen = FakeService.Seen

    private static let root = "http://169.254.169.254/latest/"
    private static let stsOK = FakeService.Answer.ok("{\"access_token\":\"federated\",\"expires_in\":3600}")
    private static let iamOK = FakeService.Answer.ok(
        "{\"accessToken\":\"impersonated\",\"expireTime\":\"2026-01-31T10:05:00Z\"}")
    private static let securityCredentials = FakeService.Answer.ok(
        "{\"Code\":\"Success\",\"AccessKeyId\":\"ASIA\",\"SecretAccessKey\":\"canary-key\",\"Token\":\"canary-session\"}"
    )

    private func fetch(
        _ credentials: AccessCredentials, _ environment: [String: String] = [:], in project: QuotaProject? = nil,
        _ service: FakeService
    ) async -> Result<AccessToken, AccessTokenError> {
        let fetcher = AccessTokenFetcher(
            credentials, in: project, scopes: [cloudPlatform], environment: environment, send: service.send,
            clock: .standingStill)
        return await Result(awaiting: fetcher.fetch)
    }

    private func error(
        _ credentials: AccessCredentials, _ environment: [String: String] = [:], _ service: FakeService
    ) async throws -> AccessTokenError {
        guard case .failure(let error) = await fetch(credentials, environment, service) else {
            throw AccessTokenError("a success; expected a failure")
        }
        #expect(!"\(error)".contains("canary"))
        return error
    }

    /// The scope of a form, decoded.
    private func scope(_ seen: Seen) -> String? {
        let member = seen.body.split(separator: "&").first { $0.hasPrefix("scope=") }
        let assertion = member.flatMap { PercentEncoding.decode(Array($0.dropFirst(6).utf8)) }
        return assertion.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a service account and a person take one request`() async throws {
        for file in [
            CredentialsFile.serviceAccount(try TestFile.serviceAccount()), .authorizedUser(try TestFile.user()),
        ] {
            let service = FakeService(.ok("{\"access_token\":\"x\",\"expires_in\":\"3600\"}"))
            #expect(try await fetch(.file(file), [:], service).get().expiresAt == now + 3600)
            #expect(service.seen.map(\.url) == [TestFile.tokenURL])
        }
    }

    @Test func `a broken key is an error of the completion`() async throws {
        let file = CredentialsFile.serviceAccount(try TestFile.serviceAccount(pem: "canary"))
        let service = FakeService()
        _ = try await error(.file(file), [:], service)
        #expect(service.seen.isEmpty)
    }

    @Test func `the metadata server takes one request once it is known`() async throws {
        let flavor = [try HTTPClientField("metadata-flavor", "Google")]
        let token = FakeService.Answer.ok("{\"access_token\":\"x\",\"expires_in\":60}", flavor)
        let service = FakeService(.ok("", flavor), token, token)
        let credentials = AccessCredentials.metadataServer(try MetadataServer(environment: [:]))
        for _ in 0..<2 { #expect(try await fetch(credentials, [:], service).get().expiresAt == now + 60) }
        #expect(
            service.requests.map(\.url.host) == ["169.254.169.254"]
                + Array(repeating: "metadata.google.internal", count: 2))
    }

    @Test func `a machine without a metadata server is asked for nothing`() async throws {
        let service = FakeService(.failure(.timeout(.answering, after: .seconds(1))))
        let credentials = AccessCredentials.metadataServer(try MetadataServer(environment: [:]))
        let error = try await error(credentials, [:], service)
        #expect(error.isTransient)
        #expect(error.failure(of: credentials).remedy == .noCredentials)
        #expect(service.requests.map(\.limits.totalTimeout) == [.seconds(1)])
    }

    @Test func `a federated identity itself gets the wanted scopes`() async throws {
        let url = try OutgoingURL("https://provider.googleapis.com/token")
        let account = try TestFile.externalAccount(.url(url, [], .json(member: "t")))
        let service = FakeService(.ok("{\"t\":\"\(TestFile.jwt("canary"))\"}"), Self.stsOK)
        #expect(try await fetch(.file(.externalAccount(account)), [:], service).get().value.value == "federated")
        #expect(service.seen.map(\.method) == ["GET", "POST"])
        #expect(service.seen.map(scope) == [nil, cloudPlatform])
    }

    @Test func `impersonation asks the STS for the scope of IAM`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "subject-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(TestFile.jwt("canary").utf8).write(to: URL(filePath: path))
        let account = try TestFile.externalAccount(.file(path: path, .text), impersonation: TestFile.impersonation)
        let service = FakeService(Self.stsOK, Self.iamOK)
        let token = try await fetch(.file(.externalAccount(account)), [:], service).get()
        #expect(token.value.value == "impersonated" && token.expiresAt == now + 3600)
        #expect(scope(service.seen[0]) == Impersonation.scope)
        #expect(service.seen[1].fields.first == "authorization: Bearer federated")
        #expect(service.seen[1].body == "{\"scope\":[\"\(cloudPlatform)\"],\"lifetime\":\"3600s\"}")
    }

    @Test func `impersonation by a person passes its delegates`() async throws {
        let target = ImpersonatedServiceAccount(
            account: "a@b.iam.gserviceaccount.com", url: try OutgoingURL(TestFile.impersonation), delegates: ["d@e"],
            source: .authorizedUser(try TestFile.user()), quotaProject: nil)
        let service = FakeService(Self.stsOK, Self.iamOK)
        let token = try await fetch(.file(.impersonatedServiceAccount(target)), [:], service).get()
        #expect(token.value.value == "impersonated")
        #expect(service.seen.map(\.url) == [TestFile.tokenURL, TestFile.impersonation])
        #expect(scope(service.seen[0]) == nil)
        #expect(service.seen[1].body.hasPrefix("{\"delegates\":[\"d@e\"],"))
    }

    @Test func `impersonation by a person is charged to the person's project`() async throws {
        let target = ImpersonatedServiceAccount(
            account: "a@b.iam.gserviceaccount.com", url: try OutgoingURL(TestFile.impersonation), delegates: [],
            source: .authorizedUser(try TestFile.user(project: "of-the-person")), quotaProject: nil)
        let service = FakeService(Self.stsOK, Self.iamOK)
        let project = QuotaProject("of-the-account")
        _ = try await fetch(.file(.impersonatedServiceAccount(target)), in: project, service).get()
        #expect(!service.seen[0].fields.contains { $0.hasPrefix("x-goog-user-project") })
        #expect(service.seen[1].fields.last == "x-goog-user-project: of-the-person")
    }

    @Test func `impersonation by a federated identity is charged to its project`() async throws {
        let url = try OutgoingURL("https://provider.googleapis.com/token")
        let account = try TestFile.externalAccount(
            .url(url, [], .text), impersonation: TestFile.impersonation, quotaProject: "of-the-file")
        let service = FakeService(.ok(TestFile.jwt("canary")), Self.stsOK, Self.iamOK)
        let project = QuotaProject("of-the-environment")
        _ = try await fetch(.file(.externalAccount(account)), in: project, service).get()
        #expect(!service.seen[1].fields.contains { $0.hasPrefix("x-goog-user-project") })
        #expect(service.seen[2].fields.last == "x-goog-user-project: of-the-environment")
    }

    @Test func `a failure of any step ends the fetch with its sentence`() async throws {
        let account = try TestFile.externalAccount(.aws(TestFile.aws()), impersonation: TestFile.impersonation)
        let answers: [FakeService.Answer] = [
            .ok("canary-imds"), .ok("us-east-1a"), .ok("role"), Self.securityCredentials, Self.stsOK, Self.iamOK,
        ]
        let endpoints =
            Array(repeating: "169.254.169.254:80", count: 4) + [
                "sts.googleapis.com:443", "iamcredentials.googleapis.com:443",
            ]
        for (step, endpoint) in endpoints.enumerated() {
            let service = FakeService(.failure(.shutDown))
            for answer in answers.prefix(step).reversed() { service.prepend(answer) }
            let error = try await error(.file(.externalAccount(account)), [:], service)
            #expect(error.sentence == "\(endpoint) did not answer before the client was shut down")
            #expect(service.seen.count == step + 1)
        }
    }

    @Test func `AWS metadata version 2 gives the region, the role and its keys`() async throws {
        let account = try TestFile.externalAccount(.aws(TestFile.aws()))
        let service = FakeService(
            .ok("canary-imds\n"), .ok("us-east-1a"), .ok("my-role"), Self.securityCredentials, Self.stsOK)
        _ = try await fetch(.file(.externalAccount(account)), [:], service).get()
        let session = ["x-aws-ec2-metadata-token: canary-imds"]
        #expect(
            service.seen.prefix(4) == [
                Seen(
                    method: "PUT", url: Self.root + "api/token",
                    fields: ["x-aws-ec2-metadata-token-ttl-seconds: 300"]),
                Seen(
                    method: "GET", url: Self.root + "meta-data/placement/availability-zone", fields: session),
                Seen(method: "GET", url: Self.root + "meta-data/iam/security-credentials", fields: session),
                Seen(method: "GET", url: Self.root + "meta-data/iam/security-credentials/my-role", fields: session),
            ])
        #expect(service.requests[0].limits.connectTimeout == .seconds(1))
        // The JSON is encoded once, and again as a member of the form.
        #expect(service.seen[4].body.contains("Credential%253DASIA%2F20260131%2Fus-east-1%2Fsts%2Faws4_request"))
        #expect(service.seen[4].body.contains("canary-session"))
    }

    @Test func `AWS metadata version 1 has no session`() async throws {
        let account = try TestFile.externalAccount(.aws(TestFile.aws(session: false)))
        let service = FakeService(.ok("us-east-1a"), .ok("my-role"), Self.securityCredentials, Self.stsOK)
        _ = try await fetch(.file(.externalAccount(account)), [:], service).get()
        #expect(service.seen.prefix(3).allSatisfy { $0.method == "GET" && $0.fields.isEmpty })
    }

    @Test func `AWS metadata is asked only for what the environment lacks`() async throws {
        let account = CredentialsFile.externalAccount(try TestFile.externalAccount(.aws(TestFile.aws())))
        let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "canary-key"]
        let all = FakeService(Self.stsOK)
        _ = try await fetch(.file(account), keys.merging(["AWS_REGION": "eu-1"]) { $1 }, all).get()
        #expect(all.seen.map(\.url) == ["https://sts.googleapis.com/v1/token"])
        let noRegion = FakeService(.ok("canary-imds"), .ok("eu-1a"), Self.stsOK)
        _ = try await fetch(.file(account), keys, noRegion).get()
        #expect(noRegion.seen.count == 3)
        let noKeys = FakeService(.ok("canary-imds"), .ok("role"), Self.securityCredentials, Self.stsOK)
        _ = try await fetch(.file(account), ["AWS_REGION": "eu-1"], noKeys).get()
        #expect(noKeys.seen.count == 4)
    }

    @Test func `without metadata URLs the environment must say everything`() async throws {
        let source = try TestFile.aws(metadata: false, session: false)
        let account = CredentialsFile.externalAccount(try TestFile.externalAccount(.aws(source)))
        #expect(
            try await error(.file(account), [:], FakeService()).sentence
                == "neither AWS_REGION nor region_url of the credentials says the region; expected one of them")
        #expect(
            try await error(.file(account), ["AWS_REGION": "eu-1"], FakeService()).sentence
                == "neither AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, AWS_WEB_IDENTITY_TOKEN_FILE with "
                + "AWS_ROLE_ARN, AWS_CONTAINER_CREDENTIALS_FULL_URI nor url of the credential_source gives AWS "
                + "credentials; expected one of them")
    }

    @Test(arguments: [
        ([FakeService.Answer.ok("can ary")], "with a session token that is not visible ASCII; expected a token"),
        ([.ok(" ")], "with an empty body; expected a session token"),
        ([.ok("t"), .ok("US EAST canary")], "with something other than a zone; expected one such as us-east-1a"),
        ([.ok("t"), .ok("eu-1a"), .ok("a\nb")], "with something other than the name of one role; expected one"),
        ([.ok("t"), .ok("eu-1a"), .ok("a/../b")], "with something other than the name of one role; expected one"),
        ([.ok("t"), .ok("eu-1a"), .ok("..")], "with something other than the name of one role; expected one"),
        ([.ok("t"), .ok("eu-1a"), .ok("r"), .ok("{}")], "without AccessKeyId; expected a text"),
        (
            [.ok("t"), .ok("eu-1a"), .ok("r"), .ok("{\"AccessKeyId\":\"a\",\"SecretAccessKey\":3}")],
            "with SecretAccessKey that is not a text; expected one"
        ),
        (
            [.ok("t"), .ok("eu-1a"), .ok("r"), .status(404, "canary")], "with the status 404, expected 200"
        ),
    ])
    func `broken AWS metadata is one sentence`(answers: [FakeService.Answer], problem: String) async throws {
        let service = FakeService()
        for answer in answers.reversed() { service.prepend(answer) }
        let account = CredentialsFile.externalAccount(try TestFile.externalAccount(.aws(TestFile.aws())))
        #expect(try await error(.file(account), [:], service).sentence == "169.254.169.254:80 answered \(problem)")
    }
}
