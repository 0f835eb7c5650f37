import CallerAccess

/// The type of a caller's credentials, valid or not, as metrics name it.
package enum CredentialType: Int, CaseIterable, Sendable {
    /// No credentials, or callers are not authenticated.
    case none
    /// A token of an identity provider.
    case token
    case apiKey
    case certificate
    /// The decision of the company's back end.
    case forwardAuth
    /// A scheme that is not known here, or two credentials at once.
    case other

    /// What authenticated a caller.
    @inline(__always)
    package init(_ method: Principal.AuthenticationMethod) {
        self =
            switch method {
            case .none: .none
            case .token: .token
            case .apiKey: .apiKey
            case .certificate: .certificate
            case .forwardAuth: .forwardAuth
            }
    }

    /// The value of the label.
    package var label: String {
        switch self {
        case .none: "none"
        case .token: "token"
        case .apiKey: "api_key"
        case .certificate: "certificate"
        case .forwardAuth: "forward_auth"
        case .other: "other"
        }
    }
}
