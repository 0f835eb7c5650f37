import OpenSSLSigner
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// Which project is charged for calls with some credentials.
struct QuotaProjectTests {
    @Test(arguments: CredentialsFixture.allCases)
    func `a file's project is used but for a key's`(fixture: CredentialsFixture) throws {
        let credentials = AccessCredentials.file(try fixture.parse(["quota_project_id": #""charged""#]))
        let project = try credentials.quotaProject([:])
        #expect(project?.id == (fixture == .serviceAccount ? nil : "charged"))
    }

    @Test(arguments: CredentialsFixture.allCases)
    func `the environment replaces any file's project`(fixture: CredentialsFixture) throws {
        let credentials = AccessCredentials.file(try fixture.parse(["quota_project_id": #""charged""#]))
        #expect(try credentials.quotaProject([QuotaProject.variable: "other"])?.id == "other")
    }

    @Test func `a machine's account is charged to the environment's project`() throws {
        let credentials = AccessCredentials.metadataServer(try MetadataServer(environment: [:]))
        #expect(try credentials.quotaProject([:]) == nil)
        #expect(try credentials.quotaProject([QuotaProject.variable: "123456789"])?.id == "123456789")
    }

    @Test func `an empty variable means the file's project`() throws {
        let credentials = AccessCredentials.file(try CredentialsFixture.user.parse())
        #expect(try credentials.quotaProject([QuotaProject.variable: ""])?.id == "fleet")
    }

    @Test(arguments: ["a b", "a\r\nx: y", "ü", "a/b"])
    func `a variable that is not a project is refused`(text: String) throws {
        let credentials = AccessCredentials.file(try CredentialsFixture.user.parse())
        let error = #expect(throws: CredentialError.self) {
            try credentials.quotaProject([QuotaProject.variable: text])
        }
        #expect(
            error?.sentence
                == "GOOGLE_CLOUD_QUOTA_PROJECT: is not the id of a project; expected one such as my-fleet")
    }

    @Test func `an impersonated account's project is not its source's`() throws {
        let file = try CredentialsFixture.impersonated.parse(["quota_project_id": #""outer""#])
        guard case .impersonatedServiceAccount(let target) = file else { throw Unexpected() }
        #expect(target.quotaProject?.id == "outer" && target.source.quotaProject?.id == "fleet")
    }
}
