import TestSupport
import Foundation
import Testing

/// What Google is asked for, and when.
extension KeylessTests {
    @Test(arguments: [500, 502, 503, 504])
    func `a passing error of Google costs the device no token`(status: Int) throws {
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        try google.fail(
            #"[{"fault": "server_error", "status": \#(status), "path": "signJwt", "requests": 2}]"#)
        _ = try token(daemon)
        #expect(try google.requests("signJwt") == 3)
    }

    @Test func `a signature of a delegation chain names the delegates`() throws {
        let chained = "chained-tokens@my-fleet.iam.gserviceaccount.com"
        let key = try #require(google.files["service_account"])
        let direct = try daemon(key, signAs: chained)
        #expect(try Curl("\(direct.url)/token?vehicleID=v-1").status == 503)
        let delegates = ["first", "second"].map { "\($0)-delegate@my-fleet.iam.gserviceaccount.com" }
        try reload(
            direct, key, signAs: chained, settings: "delegates: [\(delegates.joined(separator: ", "))]\n")
        #expect(try JSONWebToken.claims(of: token(direct, "vehicleID=v-2"))["iss"] as? String == chained)
    }

    @Test func `access tokens are renewed without any request`() throws {
        try google.fail(#"[{"fault": "short_lived", "seconds": 4}]"#)
        let daemon = try daemon(try #require(google.files["authorized_user"]))
        try Patience.wait(for: "two renewals") { try google.requests("/token") >= 3 }
        #expect(try google.requests("signJwt") == 0)
        _ = try token(daemon)
    }

    @Test func `gcloud's file is found, and a broken one stops the search`() throws {
        let content = try String(contentsOfFile: #require(google.files["authorized_user"]), encoding: .utf8)
        let folder = scratch.path("home/.config/gcloud")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = try scratch.write("home/.config/gcloud/application_default_credentials.json", content)
        // A metadata server that would answer is not asked.
        let environment = ["HOME": scratch.path("home"), "GCE_METADATA_HOST": google.host]
        let daemon = try daemon("application_default", environment: environment)
        _ = try token(daemon)
        #expect(try google.requests("computeMetadata") == 0)
        try scratch.write("home/.config/gcloud/application_default_credentials.json", "{\"type\": \"authorized_user\"}")
        let outcome = try Program.run(
            Program.daemon, ["check", "--config", scratch.path("token-provider.yaml")], environment: environment)
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.contains("\(file)") && outcome.errors.contains("client_id is missing"), "\(outcome.errors)")
    }

    @Test func `another universe domain is that of files and endpoints`() throws {
        let path = try scratch.write(
            "adc.json",
            #"{"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c", "#
                + #""token_uri": "https://oauth2.universe.invalid/token", "universe_domain": "universe.invalid"}"#)
        let settings = "callers: none\ncredentials: \(path)\nsign_as: \(Self.driver)\n"
        let config = try scratch.write("c.yaml", settings)
        let refused = try Program.run(Program.daemon, ["check", "--config", config])
        #expect(refused.status == 78)
        #expect(refused.errors.contains("\(path): universe_domain differs from google.universe_domain"))
        try scratch.write("c.yaml", settings + "google: {universe_domain: universe.invalid}\n")
        #expect(try Program.run(Program.daemon, ["check", "--config", config]).status == 0)
        let diagnosis = try Program.run(Program.daemon, ["doctor", "--json", "--config", config])
        #expect(diagnosis.status == 1)
        #expect(diagnosis.output.contains("oauth2.universe.invalid:443"), "\(diagnosis.output)")
        // What the file does not name follows from the domain.
        #expect(
            try Program.run(Program.daemon, ["jwks", "--config", config]).errors.contains("www.universe.invalid:443"))
    }

    @Test func `a key of another universe signs its access tokens itself`() throws {
        let file = try #require(google.files["service_account"])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let other = try scratch.write(
            "other.json", text.replacing("googleapis.com\"", with: "universe.invalid\""))
        let daemon = try daemon(other, environment: ["TOKEN_PROVIDER_GOOGLE_UNIVERSE_DOMAIN": "universe.invalid"])
        _ = try token(daemon)
        #expect(try google.requests("/token") == 0)
        #expect(try google.requests("signJwt") == 1)
    }

    /// Files that are broken in one place: the file, the member, what it is instead, and what is said of it.
    private static let broken: [(file: String, member: String, value: String?, said: String)] = [
        ("authorized_user", "type", nil, "type is missing"), ("authorized_user", "type", "7", "type is not a string"),
        ("authorized_user", "type", "\"gdch_service_account\"", "type is \"gdch_service_account\""),
        ("authorized_user", "client_id", nil, "client_id is missing"),
        ("authorized_user", "client_secret", "[]", "client_secret is not a string"),
        ("authorized_user", "refresh_token", "\"\"", "refresh_token is empty"),
        ("authorized_user", "token_uri", "\"http://oauth2.googleapis.com/token\"", "token_uri "),
        (
            "authorized_user", "token_uri", "\"https://attacker.example/token\"",
            "token_uri names the host attacker.example"
        ),
        ("authorized_user", "quota_project_id", "7", "quota_project_id is not a string"),
        ("authorized_user", "universe_domain", "\"other.test\"", "universe_domain differs"),
        ("external_file_text", "audience", nil, "audience is missing"),
        ("external_file_text", "subject_token_type", nil, "subject_token_type is missing"),
        ("external_file_text", "token_url", "\"https://attacker.example/v1/token\"", "token_url names the host"),
        ("external_file_text", "token_url", "\"http://sts.googleapis.com/v1/token\"", "token_url "),
        ("external_file_text", "credential_source", nil, "credential_source is missing"),
        ("external_file_text", "credential_source", "[]", "credential_source is not an object"),
        (
            "external_file_text", "credential_source", "{\"executable\": {\"command\": \"x\"}}",
            "credential_source.executable"
        ),
        ("external_file_text", "credential_source", "{}", "credential_source"),
        ("external_file_text", "credential_source", "{\"file\": \"\"}", "credential_source.file is empty"),
        (
            "external_file_json", "credential_source", "{\"file\": \"/a\", \"format\": {\"type\": \"xml\"}}",
            "credential_source.format.type"
        ),
        (
            "external_file_json", "credential_source", "{\"file\": \"/a\", \"format\": {\"type\": \"json\"}}",
            "credential_source.format.subject_token_field_name is missing"
        ),
        (
            "external_url_text", "credential_source", "{\"url\": \"https://attacker.example/\"}",
            "credential_source.url names the host"
        ),
        ("external_url_text", "credential_source", "{\"url\": \"ftp://a/\"}", "credential_source.url "),
        (
            "external_impersonated", "service_account_impersonation_url", "\"https://attacker.example/\"",
            "service_account_impersonation_url names the host"
        ),
        ("aws_instance", "credential_source", "{\"environment_id\": \"aws2\"}", "credential_source.environment_id"),
        (
            "aws_instance", "credential_source", "{\"environment_id\": \"aws1\"}",
            "credential_source.regional_cred_verification_url is missing"
        ),
        ("impersonated_user", "service_account_impersonation_url", nil, "service_account_impersonation_url is missing"),
        ("impersonated_user", "source_credentials", nil, "source_credentials is missing"),
        ("impersonated_user", "source_credentials", "{}", "source_credentials.type is missing"),
        ("impersonated_user", "delegates", "\"a\"", "delegates is not an array"),
    ]

    @Test func `thirty broken files are refused in one sentence each`() throws {
        #expect(Self.broken.count == 30)
        for (name, member, value, said) in Self.broken {
            let content = try Data(contentsOf: URL(filePath: #require(google.files[name])))
            var members = try #require(JSONSerialization.jsonObject(with: content) as? [String: Any])
            members[member] = try value.map {
                try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
            }
            let path = try scratch.write(
                "broken.json", String(decoding: JSONSerialization.data(withJSONObject: members), as: UTF8.self))
            let config = try scratch.write(
                "c.yaml", "callers: none\ncredentials: \(path)\nsign_as: \(Self.driver)\n\(google.settings)")
            let outcome = try Program.run(Program.daemon, ["check", "--config", config])
            #expect(outcome.status == 78, "\(name) \(member)")
            let sentences = outcome.errors.split(separator: "\n").filter { $0.contains("\(path): ") }
            #expect(sentences.count == 1, "\(name) \(member): \(outcome.errors)")
            #expect(sentences.first?.contains("\(path): \(said)") == true, "\(name) \(member): \(outcome.errors)")
        }
    }
}
