import TestSupport
import Foundation
import OpenSSLSigner

@testable import GoogleCredentials

/// Files of credentials in the forms that Google Cloud and gcloud write.
enum CredentialsFixture: String, Sendable, CaseIterable {
    case serviceAccount, user, file, url, aws, impersonated

    static let email = "signer@fleet.iam.gserviceaccount.com"
    static let impersonation =
        "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(email):generateAccessToken"
    static let secrets = ["CANARY-client-secret", "CANARY-refresh-token", "CANARY-header", "CANARY-query"]

    private static let keyPEM = Result { try Child.mustRun(["openssl", "genpkey", "-algorithm", "RSA", "-quiet"]) }

    static func pem() throws -> String { try keyPEM.get() }

    /// The file with changes: a member's name, with dots between nested names, and its new JSON; nil removes it.
    func json(_ changes: [String: String?] = [:]) throws -> [UInt8] {
        var members = try members()
        for (path, text) in changes {
            let value = try text.map { text in
                try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            }
            Self.set(path.split(separator: ".")[...], value, in: &members)
        }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys]
        return Array(try JSONSerialization.data(withJSONObject: members, options: options))
    }

    func parse(
        _ changes: [String: String?] = [:], allowing hosts: [String] = [], universe: String = "googleapis.com"
    ) throws -> CredentialsFile {
        try CredentialsFile(
            parsing: json(changes), source: "adc.json", allowedHosts: hosts, universeDomain: universe)
    }

    /// The sentence with which the changed file is refused; nil if it is accepted.
    func refusal(
        _ changes: [String: String?] = [:], allowing hosts: [String] = [], universe: String = "googleapis.com"
    ) throws -> String? {
        do {
            _ = try parse(changes, allowing: hosts, universe: universe)
            return nil
        } catch let error as CredentialError {
            return error.sentence
        }
    }

    private static func set(_ path: ArraySlice<Substring>, _ value: Any?, in members: inout [String: Any]) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else {
            members[name] = value
            return
        }
        var nested = members[name] as? [String: Any] ?? [:]
        set(path.dropFirst(), value, in: &nested)
        members[name] = nested
    }

    private func members() throws -> [String: Any] {
        switch self {
        case .serviceAccount: try Self.keyFile()
        case .user: Self.userFile
        case .file: Self.external(["file": "/var/run/token", "format": ["type": "text"]])
        case .url:
            Self.external([
                "url": "https://sts.googleapis.com/token?a=CANARY-query",
                "headers": ["Metadata": "True", "Authorization": "Bearer CANARY-header"],
                "format": ["type": "json", "subject_token_field_name": "access_token"],
            ])
        case .aws: Self.external(Self.awsSource, type: "urn:ietf:params:aws:token-type:aws4_request")
        case .impersonated:
            [
                "delegates": [], "service_account_impersonation_url": Self.impersonation,
                "source_credentials": Self.userFile, "type": "impersonated_service_account",
            ]
        }
    }

    private static func keyFile() throws -> [String: Any] {
        [
            "type": "service_account", "project_id": "fleet", "private_key_id": "0123456789abcdef",
            "private_key": try pem(), "client_email": email, "client_id": "123456789",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": "https://oauth2.googleapis.com/token",
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "client_x509_cert_url": "https://www.googleapis.com/robot/v1/metadata/x509/signer",
            "universe_domain": "googleapis.com",
        ]
    }

    private static var userFile: [String: Any] {
        [
            "account": "", "client_id": "1-a.apps.googleusercontent.com", "client_secret": "CANARY-client-secret",
            "quota_project_id": "fleet", "refresh_token": "CANARY-refresh-token", "type": "authorized_user",
            "universe_domain": "googleapis.com",
        ]
    }

    private static var awsSource: [String: Any] {
        [
            "environment_id": "aws1",
            "region_url": "http://169.254.169.254/latest/meta-data/placement/availability-zone",
            "url": "http://169.254.169.254/latest/meta-data/iam/security-credentials",
            "regional_cred_verification_url":
                "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
            "imdsv2_session_token_url": "http://169.254.169.254/latest/api/token",
        ]
    }

    private static func external(
        _ source: [String: Any], type: String = "urn:ietf:params:oauth:token-type:jwt"
    ) -> [String: Any] {
        [
            "universe_domain": "googleapis.com", "type": "external_account",
            "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
            "subject_token_type": type, "token_url": "https://sts.googleapis.com/v1/token",
            "token_info_url": "https://sts.googleapis.com/v1/introspect", "credential_source": source,
            "service_account_impersonation_url": impersonation,
        ]
    }
}
