import HTTPClient
import StrictJSON

/// The sentence for an answer of `signJwt` other than a token: what is wrong, and the first command of `RefusedCall` against it.
struct SigningRefusal {
    let status: Int
    /// Google's error object; nil if the answer has none.
    let google: GoogleAPIError?
    let call: SignJWTCall
    /// The access token, which no sentence may hold.
    let token: Secret

    /// The role that lets a principal sign as an account.
    static let role = "roles/iam.serviceAccountTokenCreator"

    /// Whether Google says that a permission on the account is missing, as it also does for a missing account.
    var isPermission: Bool { google?.refusal(status).cause == .permission }

    /// One sentence.
    var sentence: String {
        guard let google else {
            return GoogleAPIError.missing(status, from: host)
                + "; expected IAM Credentials (google.iam_credentials)"
        }
        let answer = google.answer(status, hiding: token)
        switch google.refusal(status).cause {
        case .permission: return permission(answer)
        case .disabledAPI:
            return "the IAM Service Account Credentials API is disabled \(answer); expected it enabled\(command)"
        case .scope:
            return "\(host) refused the access token \(answer); expected the scope "
                + "https://www.googleapis.com/auth/cloud-platform, which a machine's service account may lack"
        case .credentials, .disabledAccount:
            return "\(host) refused the access token \(answer); expected valid credentials and a correct clock"
        case .missing: return Self.missingAccount(call.account, answer)
        case .quota:
            return "the quota of signatures is used up at \(host) \(answer); "
                + "expected a higher quota, or smaller shares (signing.quota_share)"
        default: return "\(host) made no signature as \(call.account.email) \(answer)"
        }
    }

    /// The sentence if the account does not exist; `answer` says how that is known.
    static func missingAccount(_ account: ServiceAccountName, _ answer: String) -> String {
        "the account \(account.email) does not exist \(answer); expected one of: gcloud iam service-accounts list"
    }

    private var host: String { call.url.endpoint }

    private func permission(_ answer: String) -> String {
        let chain =
            call.delegates.first.map {
                ", on \($0.email) for the credentials, and on each account of the chain for the one before it"
            } ?? ""
        return "\(host) refused to sign as \(call.account.email) \(answer); "
            + "expected the role \(Self.role) on it\(chain)\(command)"
    }

    private var command: String { call.remedy(google, status).commands.first.map { ": \($0)" } ?? "" }
}
