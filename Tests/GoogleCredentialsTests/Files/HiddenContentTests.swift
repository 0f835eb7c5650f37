import Testing

@testable import GoogleCredentials

struct HiddenContentTests {
    /// All that a careless log could show of a value.
    private func texts(_ value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped) \(Mirror(reflecting: value).children)"
    }

    @Test(arguments: CredentialsFixture.allCases)
    func `no description of credentials shows a secret`(fixture: CredentialsFixture) throws {
        let file = try fixture.parse()
        let values: [Any] =
            switch file {
            case .serviceAccount(let key): [file, key]
            case .authorizedUser(let user): [file, user, user.clientSecret, user.refreshToken]
            case .externalAccount(let account): [file, account, account.source]
            case .impersonatedServiceAccount(let target): [file, target, target.source]
            }
        let found = FoundCredentials.file(file, .gcloud(path: "/a"), warning: nil)
        // The key's content is bytes, which a description writes as numbers.
        let content = try fixture.json().prefix(8).map(String.init).joined(separator: ", ")
        let secrets = CredentialsFixture.secrets + ["PRIVATE KEY", content]
        for value in values + [found, Optional(file) as Any, [file], Result<CredentialsFile, Never>.success(file)] {
            let text = texts(value)
            #expect(!secrets.contains { text.contains($0) })
        }
    }

    @Test func `a client of the token service hides its secret`() throws {
        let file = try CredentialsFixture.file.parse([
            "client_id": "\"me\"", "client_secret": "\"CANARY-client-secret\"",
        ])
        guard case .externalAccount(let account) = file, let client = account.client else { throw Unexpected() }
        #expect(!texts(client).contains("CANARY") && !texts(account).contains("CANARY"))
    }

    @Test(arguments: [
        (CredentialsFixture.serviceAccount, "service_account signer@fleet.iam.gserviceaccount.com"),
        (.user, "authorized_user"),
        (.file, "external_account with a token from the file /var/run/token, as signer@fleet.iam.gserviceaccount.com"),
        (.url, "external_account with a token from sts.googleapis.com:443, as signer@fleet.iam.gserviceaccount.com"),
        (.aws, "external_account with a token from AWS, as signer@fleet.iam.gserviceaccount.com"),
        (
            .impersonated,
            "impersonated_service_account signer@fleet.iam.gserviceaccount.com, from authorized_user"
        ),
    ])
    func `a description names type and account`(fixture: CredentialsFixture, text: String) throws {
        #expect(try fixture.parse().description == text)
    }

    @Test(arguments: CredentialsFixture.allCases)
    func `no refusal shows a secret, whatever member is broken`(fixture: CredentialsFixture) throws {
        let names = [
            "type", "client_id", "client_secret", "refresh_token", "token_uri", "token_url", "audience", "private_key",
            "private_key_id", "client_email", "subject_token_type", "credential_source", "credential_source.file",
            "credential_source.url", "credential_source.headers", "credential_source.format", "delegates",
            "credential_source.environment_id", "credential_source.region_url", "universe_domain",
            "service_account_impersonation_url", "source_credentials", "source_credentials.type",
            "credential_source.regional_cred_verification_url", "credential_source.executable",
        ]
        for name in names {
            for value in ["\"CANARY\\n\"", "[\"CANARY\"]", "{\"CANARY\\n\": \"CANARY\"}", "\"CANARY://CANARY\""] {
                #expect(try fixture.refusal([name: value])?.contains("CANARY") != true)
            }
        }
    }
}
