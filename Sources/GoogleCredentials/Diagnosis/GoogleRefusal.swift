/// How a Google API refused a call: what its error object says in fixed words (AIP-193, `google.api.ErrorReason`, IAM).
package struct GoogleRefusal: Hashable, Sendable {
    /// Why.
    package enum Cause: CaseIterable, Hashable, Sendable {
        /// A permission is missing, or what it is for: Google does not tell which.
        case permission
        /// The project has not enabled the API.
        case disabledAPI
        /// The access token is not for this API.
        case scope
        /// The credentials are expired, or were never good.
        case credentials
        /// The account that asks is disabled or deleted.
        case disabledAccount
        /// What was asked for does not exist.
        case missing
        case quota
        case billing
        /// The project is suspended or deleted.
        case project
        /// The caller may not charge the project that it names.
        case userProject
        /// VPC Service Controls.
        case perimeter
        /// It may pass.
        case outage
        case other
    }

    package let cause: Cause
    /// The number of the project that was charged; nil if the answer does not say.
    let project: String?
    /// The API, such as `iamcredentials.googleapis.com`; nil if the answer does not say.
    let service: String?
    /// The account that is disabled; nil if the answer does not say.
    let account: String?
}

extension GoogleAPIError {
    /// The refusal in an answer with this status.
    func refusal(_ code: Int) -> GoogleRefusal {
        GoogleRefusal(
            cause: cause(code), project: consumer.map { String($0.dropFirst("projects/".count)) }, service: service,
            account: account)
    }

    private func cause(_ code: Int) -> GoogleRefusal.Cause {
        switch code {
        case 401: reason == "ACCOUNT_STATE_INVALID" ? .disabledAccount : .credentials
        case 403: reason.map(Self.denial) ?? (status == "PERMISSION_DENIED" ? .permission : .other)
        case 404: .missing
        case 429: .quota
        case 500...599: .outage
        default: .other
        }
    }

    /// The cause of an answer with the status 403.
    private static func denial(_ reason: String) -> GoogleRefusal.Cause {
        switch reason {
        case "IAM_PERMISSION_DENIED", "PERMISSION_DENIED": .permission
        case "SERVICE_DISABLED": .disabledAPI
        case "ACCESS_TOKEN_SCOPE_INSUFFICIENT": .scope
        case "ACCOUNT_STATE_INVALID": .disabledAccount
        case "BILLING_DISABLED": .billing
        case "CONSUMER_INVALID", "CONSUMER_SUSPENDED", "GCP_SUSPENDED", "RESOURCE_PROJECT_INVALID": .project
        case "USER_PROJECT_DENIED": .userProject
        case "SECURITY_POLICY_VIOLATED": .perimeter
        case "RATE_LIMIT_EXCEEDED", "RESOURCE_QUOTA_EXCEEDED": .quota
        default: .other
        }
    }
}
