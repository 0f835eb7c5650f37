import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct CredentialsURLTests {
    private static let elsewhere = "https to *.googleapis.com, or a host in credentials_allowed_hosts"
    private static let metadata =
        "http to 169.254.169.254 or [fd00:ec2::254], or a host in credentials_allowed_hosts"

    @Test(arguments: [
        (CredentialsFixture.serviceAccount, "token_uri"), (.user, "token_uri"), (.file, "token_url"),
        (.file, "service_account_impersonation_url"), (.url, "credential_source.url"),
        (.impersonated, "service_account_impersonation_url"), (.impersonated, "source_credentials.token_uri"),
    ])
    func `a URL of another host is refused unless the configuration allows it`(
        fixture: CredentialsFixture, field: String
    ) throws {
        let path = "/v1/projects/-/serviceAccounts/a@b.test:generateAccessToken"
        for host in ["idp.test", "googleapis.com", "x.googleapis.com.test", "xgoogleapis.com", "127.0.0.1"] {
            let change = [field: "\"https://\(host)\(path)\""]
            let sentence = "names the host \(host), which is not allowed; expected \(Self.elsewhere)"
            #expect(try fixture.refusal(change) == "adc.json: \(field) \(sentence)")
            #expect(try fixture.refusal(change, allowing: [host.uppercased()]) == nil)
        }
        let plain = [field: "\"http://idp.test\(path)\""]
        let sentence = "adc.json: \(field) is plain http to another machine; expected \(Self.elsewhere)"
        #expect(try fixture.refusal(plain, allowing: ["idp.test"]) == sentence)
        let local = [field: "\"http://127.0.0.1:8080\(path)\""]
        #expect(try fixture.refusal(local, allowing: ["127.0.0.1"]) == nil)
    }

    @Test(arguments: ["oauth2.googleapis.com", "sts.europe-west1.rep.googleapis.com", "oauth2.apis.test"])
    func `hosts of Google's domain and the universe's are accepted`(host: String) throws {
        let change = ["token_uri": "\"https://\(host)/token\"", "universe_domain": nil]
        #expect(try CredentialsFixture.user.refusal(change, universe: "apis.test") == nil)
    }

    @Test func `the refusal in another universe names both domains`() throws {
        let change = ["token_uri": #""https://idp.test/""#, "universe_domain": nil]
        #expect(
            try CredentialsFixture.user.refusal(change, universe: "apis.test")
                == "adc.json: token_uri names the host idp.test, which is not allowed; expected https to "
                + "*.googleapis.com, *.apis.test, or a host in credentials_allowed_hosts")
    }

    @Test(arguments: ["region_url", "url", "imdsv2_session_token_url"])
    func `AWS's metadata is plain http to its two addresses alone`(field: String) throws {
        let name = "credential_source.\(field)"
        for host in ["169.254.169.254", "[fd00:ec2::254]", "[FD00:EC2::254]"] {
            #expect(try CredentialsFixture.aws.refusal([name: "\"http://\(host)/latest\""]) == nil)
        }
        for host in ["169.254.169.253", "[fe80::1]", "metadata.google.internal"] {
            #expect(
                try CredentialsFixture.aws.refusal([name: "\"http://\(host)/\""], allowing: [host])
                    == "adc.json: \(name) is plain http to another machine; expected \(Self.metadata)")
        }
        #expect(
            try CredentialsFixture.aws.refusal([name: #""http://localhost/""#])
                == "adc.json: \(name) names the host localhost, which is not allowed; expected \(Self.metadata)")
        #expect(try CredentialsFixture.aws.refusal([name: #""http://localhost/""#], allowing: ["localhost"]) == nil)
    }

    @Test func `Azure's metadata address is accepted only where the configuration allows it`() throws {
        let url = ["credential_source.url": #""http://169.254.169.254/metadata/identity/oauth2/token?resource=a""#]
        #expect(try CredentialsFixture.url.refusal(url, allowing: ["169.254.169.254"]) == nil)
        #expect(
            try CredentialsFixture.url.refusal(url)
                == "adc.json: credential_source.url is plain http to another machine; expected \(Self.elsewhere)")
    }

    @Test(arguments: [
        "sts.{region}.amazonaws.com", "sts.amazonaws.com", "sts-fips.{region}.amazonaws.com",
        "sts.{region}.amazonaws.com.cn", "sts.eu-west-1.amazonaws.com",
    ])
    func `AWS's own hosts verify an identity`(host: String) throws {
        let change = ["credential_source.regional_cred_verification_url": "\"https://\(host)?Action=A\""]
        #expect(try CredentialsFixture.aws.refusal(change) == nil)
    }

    @Test(arguments: [
        ("https://sts.{region}.amazonaws.com.test", "sts.us-east-1.amazonaws.com.test"),
        ("https://{region}.test/sts.amazonaws.com", "us-east-1.test"),
        ("https://evil.{region}.amazonaws.com", "evil.us-east-1.amazonaws.com"),
        ("https://sts.a.{region}.amazonaws.com", "sts.a.us-east-1.amazonaws.com"),
    ])
    func `another host to verify an identity is refused unless allowed`(url: String, host: String) throws {
        let name = "credential_source.regional_cred_verification_url"
        let change = [name: "\"\(url)\""]
        #expect(
            try CredentialsFixture.aws.refusal(change)
                == "adc.json: \(name) names the host \(host), which is not allowed; expected "
                + "https to sts.{region}.amazonaws.com, or a host in credentials_allowed_hosts")
        #expect(try CredentialsFixture.aws.refusal(change, allowing: [host]) == nil)
    }

    @Test(arguments: [
        "/v1/projects/-/serviceAccounts/:generateAccessToken", "/v1/projects/-/serviceAccounts/a@b.test",
        "/v1/projects/-/serviceAccounts/a@b.test:signJwt",
        "/v1/projects/-/serviceAccounts/a%40b.test:generateAccessToken",
        "/v1/projects/p/serviceAccounts/a@b.test:generateAccessToken", "", "?/v1/",
        "/v1/projects/-/serviceAccounts/a@b.test:generateAccessToken?x",
        "/v1/projects/-/serviceAccounts/123:generateAccessToken",
        "/x/v1/projects/-/serviceAccounts/a@b.test:generateAccessToken",
        "/v1/projects/-/serviceAccounts/projects/-/serviceAccounts/a@b.test:generateAccessToken",
    ])
    func `an impersonation URL of another form is refused`(path: String) throws {
        let name = "service_account_impersonation_url"
        for fixture in [CredentialsFixture.impersonated, .file] {
            #expect(
                try fixture.refusal([name: "\"https://iamcredentials.googleapis.com\(path)\""])
                    == "adc.json: \(name) is not generateAccessToken of an account; expected "
                    + "the path /v1/projects/-/serviceAccounts/EMAIL:generateAccessToken")
        }
    }
}
