import Testing

@testable import GoogleCredentials

struct BrokenExternalAccountTests {
    private static let google =
        "expected https://sts[.REGION].googleapis.com/v1/token, or a host in credentials_allowed_hosts"
    private static let oneSource = "expected exactly one of file, url and environment_id"

    @Test(arguments: [
        (CredentialsFixture.file, "audience", nil as String?, "is missing; expected a string"),
        (.file, "audience", "\"//iam\\u0000\"", "holds a character that is not printable ASCII; expected none"),
        (.file, "subject_token_type", nil, "is missing; expected a string"),
        (.file, "token_url", nil, "is missing; expected a string"),
        (.file, "token_url", "\"http://sts.googleapis.com/\"", "is plain http to another machine; \(google)"),
        (.file, "credential_source", nil, "is missing; expected an object"),
        (.file, "credential_source", "\"CANARY\"", "is not an object; expected one"),
        (
            .file, "credential_source.file", nil,
            "is missing, as are url and environment_id; \(oneSource)"
        ),
        (.file, "credential_source.file", "\"\"", "is empty; expected a string with a value"),
        (
            .file, "credential_source.file", "\"/CANARY\\u0000\"",
            "holds a control character; expected the path of a file"
        ),
        (.file, "credential_source.file", "7", "is not a string; expected one"),
        (
            .file, "credential_source.executable", "{\"command\": \"CANARY\"}",
            "names a program, and none is run here; expected file, url or environment_id"
        ),
        (
            .file, "credential_source.certificate", "{}",
            "names a client certificate, which is not supported; expected file, url or environment_id"
        ),
        (.file, "credential_source.format", "\"json\"", "is not an object; expected one"),
        (.file, "credential_source.format.type", "\"CANARY\"", "is another; expected text or json"),
        (.file, "workforce_pool_user_project", "\"CANARY\"", workforce),
        (.url, "credential_source.url", "\"\"", "is empty; expected a string with a value"),
        (.url, "credential_source.headers", "[]", "is not an object; expected one"),
        (.url, "credential_source.headers.Metadata", "true", "is not a string; expected one"),
        (
            .url, "credential_source.headers.Metadata", "\"CANARY\\r\\nHost: a\"",
            "holds a character that is not printable ASCII; expected none"
        ),
        (
            .url, "credential_source.headers.Host", "\"CANARY\"",
            "is a header that this program sets itself; expected another"
        ),
        (.url, "credential_source.format.subject_token_field_name", nil, "is missing; expected a string"),
        (
            .aws, "credential_source.environment_id", "\"aws2\"",
            "is another; expected aws1, the only one that is defined"
        ),
        (.aws, "credential_source.environment_id", "1", "is not a string; expected one"),
        (.aws, "credential_source.regional_cred_verification_url", nil, "is missing; expected a string"),
        (
            .aws, "subject_token_type", "\"urn:ietf:params:oauth:token-type:jwt\"",
            "is not the one of AWS; expected urn:ietf:params:aws:token-type:aws4_request"
        ),
    ])
    func `a broken external account's file is refused by its field`(
        fixture: CredentialsFixture, field: String, value: String?, problem: String
    ) throws {
        #expect(try fixture.refusal([field: value]) == "adc.json: \(field) \(problem)")
    }

    private static let workforce = "is for workforce pools alone; expected an audience with /workforcePools/ in it"

    @Test func `credentials with several sources or half a client are refused`() throws {
        #expect(
            try CredentialsFixture.url.refusal(["credential_source.file": "\"/a\""])
                == "adc.json: credential_source.file is there beside url; \(Self.oneSource)")
        #expect(
            try CredentialsFixture.aws.refusal(["credential_source.file": "\"/a\""])
                == "adc.json: credential_source.file is there beside environment_id; \(Self.oneSource)")
        #expect(
            try CredentialsFixture.file.refusal(["client_id": "\"a\""])
                == "adc.json: client_secret is missing; expected a string")
        #expect(
            try CredentialsFixture.file.refusal(["client_secret": "\"CANARY\""])
                == "adc.json: client_id is missing; expected a string")
    }

    @Test func `invalid or repeated headers are refused unquoted`() throws {
        let name = "credential_source.headers"
        #expect(
            try CredentialsFixture.url.refusal([name: #"{"CANARY\r\n": "a"}"#])
                == "adc.json: \(name) holds a name that no header has (RFC 9110); "
                + "expected letters, digits and hyphens")
        #expect(
            try CredentialsFixture.url.refusal([name: #"{"a": "CANARY", "A": "CANARY"}"#])?.hasSuffix(
                " is there in another case too; expected each header once") == true)
    }
}
