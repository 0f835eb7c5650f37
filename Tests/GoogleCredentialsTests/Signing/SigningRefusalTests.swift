import FleetEngineToken
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct SigningRefusalTests {
    private func reason(
        _ status: Int, _ body: String, delegates: [String] = [], keys: LoopbackGoogle.Reply = .sign
    ) throws -> String {
        let bench = try SigningBench(delegates: delegates)
        bench.google.reply(.answer(status: status, body: body))
        bench.google.replyKeys(keys)
        return try #require(bench.error()).reason
    }

    private static let host = "iamcredentials.googleapis.com:443"
    private static let denied = RemoteSignerTests.error(
        403, "PERMISSION_DENIED", RemoteSignerTests.reason("IAM_PERMISSION_DENIED"))

    @Test func `a missing role names account, role and command`() throws {
        #expect(
            try reason(403, Self.denied)
                == """
                \(Self.host) refused to sign as \(LoopbackGoogle.account) (403 IAM_PERMISSION_DENIED: "no"); expected the \
                role roles/iam.serviceAccountTokenCreator on it: gcloud iam service-accounts add-iam-policy-binding \
                \(LoopbackGoogle.account) --role=roles/iam.serviceAccountTokenCreator \
                --member="user:$(gcloud config get-value account)" --project=my-fleet
                """)
    }

    @Test func `a missing role with delegates names the chain`() throws {
        let reason = try reason(403, Self.denied, delegates: ["first@a.test", "second@a.test"])
        #expect(reason.contains("on it, on first@a.test for the credentials, and on each account of the chain"))
        #expect(reason.contains("add-iam-policy-binding first@a.test "))
    }

    @Test func `a missing account has its own sentence`() throws {
        #expect(
            try reason(403, Self.denied, keys: .answer(status: 404, body: "{}"))
                == "the account \(LoopbackGoogle.account) does not exist (it has no published keys); "
                + "expected one of: gcloud iam service-accounts list")
        #expect(try reason(403, Self.denied, keys: .failure(.shutDown)).contains("refused to sign"))
        #expect(
            try reason(404, RemoteSignerTests.error(404, "NOT_FOUND")).contains(
                #"does not exist (404 NOT_FOUND: "no")"#))
    }

    @Test func `a disabled API names the command that enables it`() throws {
        let body = RemoteSignerTests.error(403, "PERMISSION_DENIED", RemoteSignerTests.reason("SERVICE_DISABLED"))
        #expect(
            try reason(403, body)
                == "the IAM Service Account Credentials API is disabled (403 SERVICE_DISABLED: \"no\"); expected it "
                + "enabled: gcloud services enable iamcredentials.googleapis.com --project=42")
    }

    @Test func `a missing scope has its own sentence`() throws {
        let details = RemoteSignerTests.reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT")
        let reason = try reason(403, RemoteSignerTests.error(403, "PERMISSION_DENIED", details))
        #expect(reason.contains("expected the scope https://www.googleapis.com/auth/cloud-platform"))
    }

    @Test func `other answers name the status and what Google says`() throws {
        #expect(
            try reason(400, RemoteSignerTests.error(400, "INVALID_ARGUMENT"))
                == "\(Self.host) made no signature as \(LoopbackGoogle.account) (400 INVALID_ARGUMENT: \"no\")")
        #expect(
            try reason(403, "<html>")
                == "\(Self.host) answered with the status 403 and no error object of Google; expected IAM Credentials "
                + "(google.iam_credentials)")
    }

    @Test func `a message is escaped and cut`() throws {
        let message = #"a\u001b[31m\u202e\n"# + String(repeating: "x", count: 500)
        let reason = try reason(400, RemoteSignerTests.error(400, "INVALID_ARGUMENT", message: message))
        #expect(reason.contains(#""a\u001b[31m\u202e\nxxx"#))
        #expect(reason.contains(String(repeating: "x", count: 120) + "…\""))
        #expect(!reason.contains(String(repeating: "x", count: 121)))
    }

    @Test(arguments: ["Bearer canary-token-0 is bad", "eyJhbGciOiJSUzI1NiJ9.e30.c2ln is bad"])
    func `a message with a secret is hidden`(message: String) throws {
        let reason = try reason(400, RemoteSignerTests.error(400, "INVALID_ARGUMENT", message: message))
        #expect(reason.hasSuffix(#"(400 INVALID_ARGUMENT: "(hidden)")"#))
    }
}
