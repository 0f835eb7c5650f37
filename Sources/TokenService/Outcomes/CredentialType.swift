import CallerAccess

/// The type of a caller's credentials, valid or not, as metrics name it: the methods of authentication, in their
/// order, and `other`.
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
        self = CredentialType(rawValue: method.rawValue) ?? .other
    }

    /// The value of the label.
    package var label: String { ["none", "token", "api_key", "certificate", "forward_auth", "other"][rawValue] }
}
