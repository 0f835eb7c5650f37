import Concurrency
import StrictJSON
import TestSupport
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// What doctor says about credentials of each type that give no access token.
struct AccessTokenRemedyTests {
    private static let pool = "projects/1/locations/global/workloadIdentityPools/p"
    private static let subject = ExternalAccount.SubjectTokenSource.file(path: "/nowhere/token", .text)

    /// The failure of a request for a token that is answered so.
    private func failure(of file: CredentialsFile, _ answer: FakeService.Answer) throws -> ProbeFailure {
        let (user, send) = (try TestFile.user(), FakeService(answer).send)
        let result = InlineExecutor.run {
            await Result(awaiting: { () throws(AccessTokenError) in try await user.token(at: now, by: send) })
        }
        let error = try #require(throws: AccessTokenError.self) { try result?.get() }
        return error.failure(of: .file(file))
    }

    private static func grant(_ error: String, _ description: String) -> FakeService.Answer {
        .status(400, #"{"error":"\#(error)","error_description":"\#(description)"}"#)
    }

    private static func google(_ code: Int, _ status: String, _ reason: String) throws -> FakeService.Answer {
        let body = """
            {"error":{"code":\(code),"message":"no","status":"\(status)","details":[
            {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(reason)",
            "metadata":{"service":"sts.googleapis.com","consumer":"projects/7"}}]}}
            """
        return .status(code, [try HTTPClientField("content-type", "application/json")], Array(body.utf8))
    }

    @Test(arguments: ["Token has been expired or revoked.", "reauth related error (invalid_rapt)"])
    func `a person logs in again`(description: String) throws {
        let failure = try failure(
            of: .authorizedUser(TestFile.user()), Self.grant("invalid_grant", description))
        #expect(failure.detail.contains("invalid_grant: \(description)"))
        #expect(failure.remedy.commands == ["gcloud auth application-default login"])
    }

    // Descriptions as they are quoted in the issues of Google's clients.
    @Test(arguments: [
        ("Invalid JWT Signature.", "gcloud iam service-accounts keys list --iam-account=signer@fleet"),
        ("Invalid grant: account not found", "gcloud iam service-accounts list --project=fleet"),
        ("Robot is disabled.", "gcloud iam service-accounts enable signer@fleet"),
        (
            "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.",
            "timedatectl set-ntp true"
        ),
    ])
    func `a key file that is refused has the command for its cause`(description: String, command: String) throws {
        let failure = try failure(
            of: .serviceAccount(TestFile.serviceAccount()), Self.grant("invalid_grant", description))
        #expect(failure.remedy.commands.first?.hasPrefix(command) == true, "\(failure.remedy)")
    }

    @Test func `a subject token that is refused shows the provider`() throws {
        let file = CredentialsFile.externalAccount(
            try TestFile.externalAccount(Self.subject, impersonation: TestFile.impersonation))
        let failure = try failure(of: file, Self.grant("invalid_grant", "The audience does not match."))
        #expect(
            failure.remedy.commands
                == ["gcloud iam workload-identity-pools providers describe \(Self.pool)/providers/q"])
    }

    @Test func `a federated identity needs the role of workload identities`() throws {
        let file = CredentialsFile.externalAccount(
            try TestFile.externalAccount(Self.subject, impersonation: TestFile.impersonation))
        let failure = try failure(of: file, Self.google(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"))
        #expect(
            failure.remedy.commands == [
                "gcloud iam service-accounts add-iam-policy-binding a@b.iam.gserviceaccount.com "
                    + "--role=roles/iam.workloadIdentityUser "
                    + "--member=principal://iam.googleapis.com/\(Self.pool)/subject/SUBJECT --project=b"
            ])
    }

    @Test func `impersonation needs the role of token creators`() throws {
        let target = ImpersonatedServiceAccount(
            account: "a@b.iam.gserviceaccount.com", url: try OutgoingURL(TestFile.impersonation), delegates: [],
            source: .serviceAccount(try TestFile.serviceAccount()), quotaProject: nil)
        let denied = try failure(
            of: .impersonatedServiceAccount(target), Self.google(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"))
        #expect(
            denied.remedy.commands == [
                "gcloud iam service-accounts add-iam-policy-binding a@b.iam.gserviceaccount.com "
                    + "--role=roles/iam.serviceAccountTokenCreator "
                    + "--member=serviceAccount:signer@fleet.iam.gserviceaccount.com --project=b"
            ])
        let source = try failure(
            of: .impersonatedServiceAccount(target), Self.grant("invalid_grant", "Robot is disabled."))
        #expect(source.remedy.commands[0].hasPrefix("gcloud iam service-accounts enable signer@"))
    }

    @Test func `delegates are named by their addresses`() throws {
        let target = ImpersonatedServiceAccount(
            account: "a@b.iam.gserviceaccount.com", url: try OutgoingURL(TestFile.impersonation),
            delegates: ["projects/-/serviceAccounts/first@b.iam.gserviceaccount.com"],
            source: .serviceAccount(try TestFile.serviceAccount()), quotaProject: nil)
        let denied = try failure(
            of: .impersonatedServiceAccount(target), Self.google(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"))
        #expect(
            denied.remedy.commands == [
                "gcloud iam service-accounts add-iam-policy-binding first@b.iam.gserviceaccount.com "
                    + "--role=roles/iam.serviceAccountTokenCreator "
                    + "--member=serviceAccount:signer@fleet.iam.gserviceaccount.com --project=b",
                "gcloud iam service-accounts add-iam-policy-binding a@b.iam.gserviceaccount.com "
                    + "--role=roles/iam.serviceAccountTokenCreator "
                    + "--member=serviceAccount:first@b.iam.gserviceaccount.com --project=b",
            ])
    }

    @Test func `a disabled API is the one that the answer names`() throws {
        let file = CredentialsFile.externalAccount(
            try TestFile.externalAccount(Self.subject, impersonation: TestFile.impersonation))
        let failure = try failure(of: file, Self.google(403, "PERMISSION_DENIED", "SERVICE_DISABLED"))
        #expect(failure.remedy.commands == ["gcloud services enable sts.googleapis.com --project=7"])
    }

    @Test func `a machine without an account gets a command to attach one`() throws {
        let error = AccessTokenError("metadata.google.internal:80 answered with the status 404", status: 404)
        let server = try MetadataServer(environment: [:])
        let failure = error.failure(of: .metadataServer(server))
        #expect(failure.remedy.commands.count == 2 && !failure.isOutage)
        #expect(failure.remedy.commands[1].contains("roles/iam.workloadIdentityUser"))
    }

    @Test func `an outage is not the credentials' fault`() throws {
        let failure = try failure(
            of: .authorizedUser(TestFile.user()), .failure(.cannotConnect(reason: "Connection refused")))
        #expect(failure.isOutage)
        #expect(failure.remedy.commands == ["curl -v https://oauth2.googleapis.com:443/"])
    }
}
