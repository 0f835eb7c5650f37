import TestSupport
import StrictJSON

@testable import GoogleCredentials
@testable import HTTPClient

/// The time of the tests, in seconds since the epoch: 2026-01-31T09:05:00Z.
let now: Int64 = 1_769_850_300

extension SigningClock {
    /// The system's, but for the time since the epoch.
    static let standingStill = SigningClock(
        monotonic: system.monotonic, epochSeconds: { now }, sleep: system.sleep, random: system.random)
}

let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"

enum TestFile {
    static let tokenURL = "https://oauth2.googleapis.com/token"

    static func user(_ url: String = tokenURL, project: String? = nil) throws -> AuthorizedUser {
        AuthorizedUser(
            clientID: "id.apps.googleusercontent.com", clientSecret: Secret("canary+secret&/="),
            refreshToken: Secret("1//canary-refresh"), tokenURL: try OutgoingURL(url),
            quotaProject: project.flatMap(QuotaProject.init))
    }

    private static let pem = Result { try Child.mustRun(["openssl", "genpkey", "-algorithm", "RSA", "-quiet"]) }

    static func serviceAccount(pem other: String? = nil) throws -> ServiceAccountFile {
        let pem = try other ?? pem.get()
        var json = JSONWriter()
        json.object { json in
            json.member("type", "service_account")
            json.member("client_email", "signer@fleet.iam.gserviceaccount.com")
            json.member("private_key_id", "key-1")
            json.member("private_key", pem)
        }
        return ServiceAccountFile(
            content: json.bytes, account: "signer@fleet.iam.gserviceaccount.com", tokenURL: try OutgoingURL(tokenURL))
    }

    /// A JWT as far as its form goes, with this text in its claims.
    static func jwt(_ text: String) -> String {
        let parts = ["{\"alg\":\"RS256\"}", "{\"sub\":\"\(text)\"}", "signature"]
        return parts.map { String(decoding: Base64URL.encode(Array($0.utf8)), as: UTF8.self) }.joined(separator: ".")
    }

    static let audience =
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q"

    static func externalAccount(
        _ source: ExternalAccount.SubjectTokenSource, impersonation: String? = nil,
        client: ExternalAccount.ClientCredentials? = nil, project: String? = nil, quotaProject: String? = nil
    ) throws -> ExternalAccount {
        ExternalAccount(
            audience: audience, subjectTokenType: "urn:ietf:params:oauth:token-type:jwt",
            tokenURL: try OutgoingURL("https://sts.googleapis.com/v1/token"), source: source,
            impersonation: try impersonation.map { try OutgoingURL($0) }, client: client,
            workforceUserProject: project, quotaProject: quotaProject.flatMap(QuotaProject.init))
    }

    static func aws(metadata: Bool = true, session: Bool = true) throws -> ExternalAccount.AWSSource {
        let url = { (path: String) in
            try OutgoingURL(plain: "http://169.254.169.254/latest/\(path)", toHosts: ["169.254.169.254"])
        }
        return ExternalAccount.AWSSource(
            regionURL: metadata ? try url("meta-data/placement/availability-zone") : nil,
            credentialsURL: metadata ? try url("meta-data/iam/security-credentials") : nil,
            verificationURL: "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
            sessionTokenURL: session ? try url("api/token") : nil)
    }

    static let impersonation =
        "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b.iam.gserviceaccount.com:generateAccessToken"
}
