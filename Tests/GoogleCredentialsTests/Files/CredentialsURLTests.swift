import Testing

@testable import GoogleCredentials
@testable import HTTPClient

struct CredentialsURLTests {
    private static let elsewhere = "https to *.googleapis.com, or a host in credentials_allowed_hosts"
    private static let impersonation =
        "https://iamcredentials[.REGION].googleapis.com/v1/projects/-/serviceAccounts/EMAIL:generateAccessToken, "
        + "or a host in credentials_allowed_hosts"
    private static let oauth = "https://oauth2.googleapis.com/token, or a host in credentials_allowed_hosts"
    private static let sts = "https://sts[.REGION].googleapis.com/v1/token, or a host in credentials_allowed_hosts"

    @Test(arguments: [
        (CredentialsFixture.serviceAccount, "token_uri", oauth), (.user, "token_uri", oauth), (.file, "token_url", sts),
        (.file, "service_account_impersonation_url", impersonation), (.url, "credential_source.url", elsewhere),
        (.impersonated, "service_account_impersonation_url", impersonation),
        (.impersonated, "source_credentials.token_uri", oauth),
    ])
    func `a URL of another host is refused unless the configuration allows it`(
        fixture: CredentialsFixture, field: String, expected: String
    ) throws {
        let path = "/v1/projects/-/serviceAccounts/a@b.test:generateAccessToken"
        for host in ["idp.test", "googleapis.com", "x.googleapis.com.test", "xgoogleapis.com", "127.0.0.1"] {
            let change = [field: "\"https://\(host)\(path)\""]
            let sentence = "names the host \(host), which is not allowed; expected \(expected)"
            #expect(try fixture.refusal(change) == "adc.json: \(field) \(sentence)")
            #expect(try fixture.refusal(change, allowing: [host.uppercased()]) == nil)
        }
        let plain = [field: "\"http://idp.test\(path)\""]
        let sentence = "adc.json: \(field) is plain http to another machine; expected \(expected)"
        #expect(try fixture.refusal(plain, allowing: ["idp.test"]) == sentence)
        let local = [field: "\"http://127.0.0.1:8080\(path)\""]
        #expect(try fixture.refusal(local, allowing: ["127.0.0.1"]) == nil)
    }

    @Test(arguments: [
        (CredentialsFixture.user, "token_uri", "oauth2", "/token"), (.file, "token_url", "sts", "/v1/token"),
        (.file, "service_account_impersonation_url", "iamcredentials", path),
        (.impersonated, "service_account_impersonation_url", "iamcredentials", path),
    ])
    func `Google's endpoints in all their forms are accepted, other hosts refused`(
        fixture: CredentialsFixture, field: String, service: String, path: String
    ) throws {
        func refusal(_ place: String) throws -> String? {
            try fixture.refusal([field: "\"https://\(place)\(path)\""])
        }
        for name in [
            service, "\(service).mtls", "\(service).europe-west1", "\(service).northamerica-northeast2",
            "\(service).us-central1.rep", "\(service).eu.rep", "us-central1-\(service)", "us-central1.\(service)",
            "\(service)-vialink1.p",
        ] {
            #expect(try refusal("\(name).googleapis.com") == nil, "\(name)")
            #expect(try refusal("\(name).googleapis.com:443") == nil, "\(name)")
        }
        // Each of these can be the bucket or the service of somebody else.
        for host in [
            "storage.googleapis.com", "\(service).storage.googleapis.com", "x.\(service).googleapis.com",
            "\(service).europe-west1.storage.googleapis.com", "\(service).europe.googleapis.com",
            "\(service).europe-west.googleapis.com", "\(service)x.googleapis.com",
            "\(service).europe-west1x.googleapis.com", "\(service).europe-west1.rep.rep.googleapis.com",
            "\(service).bucket.rep.googleapis.com", "\(service).rep.googleapis.com", "\(service).p.googleapis.com",
            "storage-vialink1.p.googleapis.com", "\(service)-a.b.p.googleapis.com", "\(service)-a.googleapis.com",
            "\(service)-europe-west1.googleapis.com", "bucket-\(service).googleapis.com",
            "\(service).mtls.rep.googleapis.com", "europe-west1.storage.googleapis.com",
        ] {
            #expect(
                try refusal(host)?.hasPrefix(
                    "adc.json: \(field) names the host \(host), which is not allowed; expected https://\(service)")
                    == true,
                "\(host)")
        }
        #expect(
            try refusal("\(service).googleapis.com:444")?.hasPrefix(
                "adc.json: \(field) names another port or path of \(service).googleapis.com; expected https://\(service)"
            )
                == true)
    }

    private static let path = "/v1/projects/-/serviceAccounts/a@b.test:generateAccessToken"

    @Test(arguments: [
        (CredentialsFixture.user, "token_uri", "oauth2", "/token", oauth),
        (.serviceAccount, "token_uri", "oauth2", "/token", oauth), (.file, "token_url", "sts", "/v1/token", sts),
    ])
    func `another path of Google's token endpoints is refused`(
        fixture: CredentialsFixture, field: String, service: String, path: String, expected: String
    ) throws {
        let host = "\(service).googleapis.com"
        for other in [
            "", "/", "\(path)/", "\(path)?a=b", "/x\(path)", "/upload/storage/v1/b/bucket/o?uploadType=media",
        ] {
            #expect(
                try fixture.refusal([field: "\"https://\(host)\(other)\""])
                    == "adc.json: \(field) names another port or path of \(host); expected \(expected)")
        }
    }

    @Test(arguments: ["oauth2.googleapis.com", "oauth2.europe-west1.googleapis.com", "oauth2.apis.test"])
    func `hosts of Google's domain and the universe's are accepted`(host: String) throws {
        let change = ["token_uri": "\"https://\(host)/token\"", "universe_domain": nil]
        #expect(try CredentialsFixture.user.refusal(change, universe: "apis.test") == nil)
    }

    @Test func `the refusal in another universe names its endpoint`() throws {
        let change = ["token_uri": #""https://idp.test/""#, "universe_domain": nil]
        #expect(
            try CredentialsFixture.user.refusal(change, universe: "apis.test")
                == "adc.json: token_uri names the host idp.test, which is not allowed; expected "
                + "https://oauth2.apis.test/token, or a host in credentials_allowed_hosts")
        let source = ["credential_source.url": #""https://idp.test/""#, "universe_domain": nil]
        #expect(
            try CredentialsFixture.url.refusal(source, universe: "apis.test")?.hasSuffix(
                "expected https to *.googleapis.com, *.apis.test, or a host in credentials_allowed_hosts") == true)
    }

    @Test(arguments: [
        ("region_url", "/latest/meta-data/placement/availability-zone"),
        ("url", "/latest/meta-data/iam/security-credentials"), ("imdsv2_session_token_url", "/latest/api/token"),
    ])
    func `AWS's metadata is plain http to its two addresses alone`(field: String, path: String) throws {
        let name = "credential_source.\(field)"
        let expected =
            "http://169.254.169.254\(path) or http://[fd00:ec2::254]\(path), or a host in credentials_allowed_hosts"
        for host in ["169.254.169.254", "[fd00:ec2::254]", "[FD00:EC2::254]"] {
            #expect(try CredentialsFixture.aws.refusal([name: "\"http://\(host)\(path)\""]) == nil)
        }
        for host in ["169.254.169.253", "[fe80::1]", "metadata.google.internal"] {
            #expect(
                try CredentialsFixture.aws.refusal([name: "\"http://\(host)/\""], allowing: [host])
                    == "adc.json: \(name) is plain http to another machine; expected \(expected)")
        }
        for place in ["169.254.169.254/latest/user-data", "169.254.169.254:8080\(path)"] {
            #expect(
                try CredentialsFixture.aws.refusal([name: "\"http://\(place)\""])
                    == "adc.json: \(name) names another port or path of 169.254.169.254; expected \(expected)")
        }
        #expect(
            try CredentialsFixture.aws.refusal([name: #""http://localhost/""#])
                == "adc.json: \(name) names the host localhost, which is not allowed; expected \(expected)")
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
        let name = "credential_source.regional_cred_verification_url"
        let query = "?Action=GetCallerIdentity&Version=2011-06-15"
        for slash in ["", "/"] {
            #expect(try CredentialsFixture.aws.refusal([name: "\"https://\(host)\(slash)\(query)\""]) == nil)
        }
        for other in ["", "?Action=AssumeRole&Version=2011-06-15", "\(query)&Action=AssumeRole"] {
            #expect(
                try CredentialsFixture.aws.refusal([name: "\"https://\(host)\(other)\""])?.hasPrefix(
                    "adc.json: \(name) names another port or path of ") == true)
        }
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
                + "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15, or a host in credentials_allowed_hosts"
        )
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
