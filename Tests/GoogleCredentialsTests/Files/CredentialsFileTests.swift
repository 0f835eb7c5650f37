import OpenSSLSigner
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct CredentialsFileTests {
    private static let usualTokenURL = "https://oauth2.googleapis.com/token"

    @Test func `a key file gives its account and token URL, and signs`() throws {
        let file = try CredentialsFixture.serviceAccount.parse()
        guard case .serviceAccount(let key) = file else { throw Unexpected() }
        #expect(file.account == CredentialsFixture.email)
        #expect(key.tokenURL.text == Self.usualTokenURL)
        #expect(try key.content == CredentialsFixture.serviceAccount.json())
    }

    @Test(arguments: [
        nil, "null", #""https://accounts.google.com/o/oauth2/token""#, #""https://www.googleapis.com/oauth2/v4/token""#,
    ])
    func `a missing or old token URL means the usual one`(url: String?) throws {
        guard case .serviceAccount(let key) = try CredentialsFixture.serviceAccount.parse(["token_uri": url]) else {
            throw Unexpected()
        }
        #expect(key.tokenURL.text == Self.usualTokenURL)
    }

    @Test func `gcloud's file gives a person's refresh token and no account`() throws {
        let file = try CredentialsFixture.user.parse()
        guard case .authorizedUser(let user) = file else { throw Unexpected() }
        #expect(file.account == nil)
        #expect(user.clientID == "1-a.apps.googleusercontent.com")
        #expect(user.clientSecret.value == "CANARY-client-secret")
        #expect(user.refreshToken.value == "CANARY-refresh-token")
        #expect(user.tokenURL.text == Self.usualTokenURL)
    }

    @Test func `an external account with a file gives its path and format`() throws {
        let file = try CredentialsFixture.file.parse()
        guard case .externalAccount(let account) = file, case .file(let path, let format) = account.source else {
            throw Unexpected()
        }
        #expect(path == "/var/run/token")
        #expect(format == .text)
        #expect(account.audience.hasSuffix("/workloadIdentityPools/p/providers/q"))
        #expect(account.subjectTokenType == "urn:ietf:params:oauth:token-type:jwt")
        #expect(account.tokenURL.text == "https://sts.googleapis.com/v1/token")
        #expect(file.account == CredentialsFixture.email)
        #expect(account.client == nil && account.workforceUserProject == nil && !file.holdsSecret)
    }

    @Test func `an external account without impersonation or format has neither`() throws {
        let file = try CredentialsFixture.file.parse([
            "service_account_impersonation_url": nil, "credential_source.format": nil,
        ])
        guard case .externalAccount(let account) = file, case .file(_, .text) = account.source else {
            throw Unexpected()
        }
        #expect(account.impersonation == nil && file.account == nil)
    }

    @Test func `an external account with a URL gives its headers and member`() throws {
        let file = try CredentialsFixture.url.parse()
        guard case .externalAccount(let account) = file, case .url(let url, let fields, let format) = account.source
        else { throw Unexpected() }
        #expect(url.host == "sts.googleapis.com")
        #expect(Set(fields.map(\.name)) == ["metadata", "authorization"])
        #expect(format == .json(member: "access_token"))
        #expect(file.holdsSecret)
    }

    @Test func `a workforce pool's file gives its client and project`() throws {
        let file = try CredentialsFixture.file.parse([
            "audience": #""//iam.googleapis.com/locations/global/workforcePools/p/providers/q""#,
            "client_id": #""me""#, "client_secret": #""CANARY-client-secret""#,
            "workforce_pool_user_project": #""fleet""#,
        ])
        guard case .externalAccount(let account) = file else { throw Unexpected() }
        #expect(account.client?.id == "me" && account.client?.secret.value == "CANARY-client-secret")
        #expect(account.workforceUserProject == "fleet" && file.holdsSecret)
    }

    @Test func `an external account on AWS gives its four URLs`() throws {
        let file = try CredentialsFixture.aws.parse()
        guard case .externalAccount(let account) = file, case .aws(let source) = account.source else {
            throw Unexpected()
        }
        #expect(source.regionURL?.text.hasSuffix("availability-zone") == true)
        #expect(source.credentialsURL?.text.hasSuffix("security-credentials") == true)
        #expect(source.sessionTokenURL?.text.hasSuffix("api/token") == true)
        #expect(source.verificationURL.hasPrefix("https://sts.{region}.amazonaws.com?"))
    }

    @Test func `an external account on AWS needs only the verification URL`() throws {
        let file = try CredentialsFixture.aws.parse([
            "credential_source.region_url": nil, "credential_source.url": nil,
            "credential_source.imdsv2_session_token_url": nil,
        ])
        guard case .externalAccount(let account) = file, case .aws(let source) = account.source else {
            throw Unexpected()
        }
        #expect(source.regionURL == nil && source.credentialsURL == nil && source.sessionTokenURL == nil)
    }

    @Test func `an impersonated account gives its e-mail, delegates and source`() throws {
        let delegates = [
            "a@fleet.iam.gserviceaccount.com", "projects/-/serviceAccounts/b@fleet.iam.gserviceaccount.com",
        ]
        let file = try CredentialsFixture.impersonated.parse(["delegates": "\(delegates)"])
        guard case .impersonatedServiceAccount(let target) = file, case .authorizedUser = target.source else {
            throw Unexpected()
        }
        #expect(file.account == CredentialsFixture.email && target.url.text == CredentialsFixture.impersonation)
        #expect(target.delegates == delegates)
    }

    @Test func `a key within an impersonated account's file signs`() throws {
        let key = String(decoding: try CredentialsFixture.serviceAccount.json(), as: UTF8.self)
        guard
            case .impersonatedServiceAccount(let target) = try CredentialsFixture.impersonated.parse([
                "source_credentials": key
            ]), case .serviceAccount(let file) = target.source
        else { throw Unexpected() }
        let signer = try ServiceAccountKey.load(
            json: file.content, source: "key", allowDefaultServiceAccounts: false)
        #expect(signer.account == CredentialsFixture.email)
    }

    @Test(arguments: CredentialsFixture.allCases)
    func `members that no type defines are ignored`(fixture: CredentialsFixture) throws {
        #expect(try fixture.refusal(["something": #"{"new": [1, null]}"#, "token_info_url": "7"]) == nil)
    }

    @Test(arguments: CredentialsFixture.allCases)
    func `a file of the configured universe passes, and another is refused`(fixture: CredentialsFixture) throws {
        let domain = ["universe_domain": #""apis.test""#]
        let sentence = "universe_domain differs from google.universe_domain; expected"
        #expect(try fixture.refusal(domain) == "adc.json: \(sentence) googleapis.com in both")
        let nested = "adc.json: source_credentials.\(sentence) apis.test in both"
        #expect(try fixture.refusal(domain, universe: "Apis.Test") == (fixture == .impersonated ? nested : nil))
    }

    @Test func `the token URL is that of the universe`() throws {
        guard
            case .authorizedUser(let user) = try CredentialsFixture.user.parse(
                ["universe_domain": nil], universe: "apis.test")
        else { throw Unexpected() }
        #expect(user.tokenURL.text == "https://oauth2.apis.test/token")
    }
}

/// Credentials of another type than the test made.
struct Unexpected: Error {}
