import OpenSSLSigner
import Testing

@testable import GoogleCredentials

struct BrokenCredentialsTests {
    private static let whole = "expected Application Default Credentials as gcloud writes them"
    private static let google =
        "expected https://oauth2.googleapis.com/token, or a host in credentials_allowed_hosts"

    private func refusal(_ content: [UInt8]) -> CredentialError? {
        #expect(throws: CredentialError.self) {
            try CredentialsFile(
                parsing: content, source: "adc.json", allowedHosts: [], universeDomain: "googleapis.com")
        }
    }

    @Test(arguments: [
        ("", "is empty; \(whole)"), (" \r\n\t", "is empty; \(whole)"), ("[]", "is not a JSON object; \(whole)"),
        ("\"CANARY\"", "is not a JSON object; \(whole)"), ("null", "is not a JSON object; \(whole)"),
        ("{\"type\": \"authorized_user\", \"CANARY", "is truncated: its JSON ends early, at byte 35; \(whole)"),
        ("-----BEGIN PRIVATE KEY-----\nCANARY\n", "is PEM, not JSON; \(whole)"),
        ("\u{FEFF}{}", "begins with a UTF-8 byte order mark; expected UTF-8 without it"),
        ("{\"type\": 1, \"a\": {\"b\": 1, \"b\": 2}}", "repeats a member's name at byte 26; expected each name once"),
        (
            "CANARY: 1",
            "is not JSON: it has something other than a value at byte 0; expected a value"
        ),
    ])
    func `a file of another form is refused with the cause`(text: String, problem: String) {
        #expect(refusal(Array(text.utf8))?.sentence == "adc.json: the file \(problem)")
    }

    @Test func `UTF-16 is refused with the cause`() throws {
        let text = try CredentialsFixture.user.json().flatMap { byte -> [UInt8] in [byte, 0] }
        #expect(refusal([0xFF, 0xFE] + text)?.sentence == "adc.json: the file is UTF-16 text; expected UTF-8")
    }

    @Test(arguments: CredentialsFixture.allCases)
    func `every truncated file is refused in one sentence`(fixture: CredentialsFixture) throws {
        let content = try fixture.json()
        for count in stride(from: 0, to: content.count, by: 7) {
            #expect(refusal(Array(content[..<count]))?.sentence.hasPrefix("adc.json: the file is ") == true)
        }
    }

    private static let types =
        "expected service_account, authorized_user, external_account or impersonated_service_account"

    @Test(arguments: [
        (CredentialsFixture.user, "type", nil as String?, "is missing; expected a string"),
        (.user, "type", "\"\"", "is empty; expected a string with a value"),
        (.user, "type", "1", "is not a string; expected one"), (.user, "type", "\"CANARY\"", "is another; \(types)"),
        (
            .user, "type", "\"external_account_authorized_user\"",
            "is \"external_account_authorized_user\"; \(types)"
        ),
        (.user, "type", "\"gdch_service_account\"", "is \"gdch_service_account\"; \(types)"),
        (.user, "client_id", nil, "is missing; expected a string"),
        (.user, "client_secret", "[\"CANARY\"]", "is not a string; expected one"),
        (.user, "client_secret", "null", "is not a string; expected one"),
        (.user, "refresh_token", "\"\"", "is empty; expected a string with a value"),
        (
            .user, "refresh_token", "\"CANARY\\n\"",
            "holds a character that is not printable ASCII; expected none"
        ),
        (.user, "token_uri", "\"CANARY\"", "begins neither with https:// nor with http://; \(google)"),
        (.user, "token_uri", "\"https://CANARY@oauth2.googleapis.com/\"", "holds a user name or a password; \(google)"),
        (.user, "token_uri", "\"https://oauth2.googleapis.com/#CANARY\"", "holds a fragment (#); \(google)"),
        (.user, "token_uri", "7", "is not a string; expected one"),
        (.user, "universe_domain", "\"\"", "is empty; expected a string with a value"),
        (.user, "quota_project_id", "7", "is not a string; expected one"),
        (
            .user, "quota_project_id", "\"CANARY\\r\\n\"",
            "is not the id of a project; expected one such as my-fleet"
        ),
        (.file, "quota_project_id", "\"a b\"", "is not the id of a project; expected one such as my-fleet"),
        (.serviceAccount, "private_key", nil, "is missing; expected a string"),
        (.serviceAccount, "private_key_id", "\"\"", "is empty; expected a string with a value"),
        (
            .serviceAccount, "client_email", "\"CANARY\"",
            "is not a service account's address; expected NAME@DOMAIN"
        ),
        (
            .serviceAccount, "private_key", "\"CANARY\"",
            "is not PEM: it does not begin with a -----BEGIN line; expected the lines -----BEGIN PRIVATE KEY----- to "
                + "-----END PRIVATE KEY-----"
        ),
    ])
    func `a broken user or key file is refused by its field`(
        fixture: CredentialsFixture, field: String, value: String?, problem: String
    ) throws {
        #expect(try fixture.refusal([field: value]) == "adc.json: \(field) \(problem)")
    }

    private static let sources = "expected service_account, authorized_user or external_account"

    @Test(arguments: [
        ("service_account_impersonation_url", nil as String?, "is missing; expected a string"),
        ("source_credentials", nil, "is missing; expected an object"),
        ("source_credentials", "[]", "is not an object; expected one"),
        ("source_credentials.type", nil, "is missing; expected a string"),
        (
            "source_credentials.type", "\"impersonated_service_account\"",
            "is \"impersonated_service_account\"; \(sources)"
        ),
        ("source_credentials.type", "\"CANARY\"", "is another; \(sources)"),
        ("source_credentials.type", "\"service_account\"", "is missing; expected a string"),
        ("source_credentials.refresh_token", nil, "is missing; expected a string"),
        ("source_credentials.refresh_token", "{\"CANARY\": 1}", "is not a string; expected one"),
        ("delegates", "\"a@b.test\"", "is not an array; expected one of strings"),
        ("quota_project_id", "\"\u{FC}\"", "is not the id of a project; expected one such as my-fleet"),
        ("delegates", "[1]", "holds something other than strings; expected an array of strings"),
        (
            "delegates", "[\"CANARY\"]",
            "holds something other than e-mail addresses of service accounts; expected those"
        ),
    ])
    func `a broken impersonated account's file is refused by its field`(
        field: String, value: String?, problem: String
    ) throws {
        let isKey = value == "\"service_account\""
        #expect(
            try CredentialsFixture.impersonated.refusal([field: value])
                == "adc.json: \(isKey ? "source_credentials.client_email" : field) \(problem)")
    }
}
