import CallerAccess

/// By what a caller proved who they are, or tried to, as metrics tell it.
package enum CallerProof: Int, CaseIterable, Sendable {
    /// By nothing: nothing was shown, or nobody was asked.
    case none
    /// A token of an identity provider.
    case token
    case apiKey
    case certificate
    /// The word of the company's back end.
    case forwardAuth
    /// Something that nobody here can look at, or two proofs at once.
    case other

    /// What a request shows.
    package init(_ credentials: CallerCredentials) {
        self =
            switch credentials {
            case .none: .none
            case .token: .token
            case .apiKey: .apiKey
            case .certificate: .certificate
            case .foreign, .unusable: .other
            }
    }

    /// What proved a caller.
    @inline(__always)
    package init(_ proof: Principal.Proof) {
        self =
            switch proof {
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
