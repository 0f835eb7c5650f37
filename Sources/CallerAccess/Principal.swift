import StrictJSON

/// An authenticated caller: what rules decide about and records name.
package final class Principal: Sendable {
    /// The most bytes of UTF-8 of a name that an issuer or a back end chose.
    package static let maxNameBytes = 256

    /// For records and limits: the claim of a token that its issuer's policy says, an API key's name, a certificate's name,
    /// or what a back end calls the caller; empty if that claim is not a string, if the back end gives no name, and for an
    /// anonymous caller. An issuer or a back end may write any character into it.
    package let name: String
    /// Where the credentials came from.
    package let source: Source
    /// The claims of the caller's token, at least those that rules read; nil for a caller without a token.
    package let claims: JSONObject?
    /// When the credentials expire, in seconds since the epoch; nil for never.
    package let expiresAt: Int64?
    /// The names of the rules that may allow it something; nil for all.
    package let rules: Set<String>?
    /// How it was authenticated, calculated once since every request is counted by it.
    package let authentication: AuthenticationMethod
    /// What limits count it by, calculated once since callers return; nil for a caller without a name.
    package let limitKey: RateLimitKey?

    /// A caller whose credentials have been verified.
    package init(
        name: String, source: Source, claims: JSONObject?, expiresAt: Int64?, rules: Set<String>? = nil
    ) {
        (self.name, self.source, self.claims, self.expiresAt) = (name, source, claims, expiresAt)
        (self.rules, authentication) = (rules, source.authentication)
        limitKey = RateLimitKey(name: name, source: source)
    }

    /// A caller without credentials: none are required, or a back end decides.
    package static let anonymous = Principal(name: "", source: .anonymous, claims: nil, expiresAt: nil)

    /// How a caller is authenticated; `none` for an anonymous one.
    package enum AuthenticationMethod: Int, Sendable {
        case none, token, apiKey, certificate, forwardAuth
    }

    /// Where the credentials of a caller come from, by the name in the configuration.
    package enum Source: Sendable, CustomStringConvertible {
        /// A token of this issuer (RFC 7519 section 4.1.1), or of one of its tenants.
        case jwt(issuer: String, tenant: String? = nil)
        /// The API key of this name.
        case apiKey(name: String)
        /// A client's certificate with this name.
        case certificate(CertificateName)
        /// The company's back end, which was asked about the caller.
        case forwardAuth
        /// None: the caller is unauthenticated.
        case anonymous

        /// The issuer as its tokens name it: two tenants may give one name to different callers.
        package var issuer: String? {
            guard case .jwt(let issuer, let tenant) = self else { return nil }
            return tenant.map { issuer.replacing(IssuerPolicy.tenantPart, with: $0) } ?? issuer
        }

        /// For records: `jwt` and the issuer, `api_key`, `certificate`, `forward_auth`, or `none`.
        package var description: String {
            switch self {
            case .jwt: "jwt \(issuer ?? "")"
            case .apiKey: "api_key"
            case .certificate: "certificate"
            case .forwardAuth: "forward_auth"
            case .anonymous: "none"
            }
        }
    }
}

extension Principal.Source {
    fileprivate var authentication: Principal.AuthenticationMethod {
        switch self {
        case .anonymous: .none
        case .jwt: .token
        case .apiKey: .apiKey
        case .certificate: .certificate
        case .forwardAuth: .forwardAuth
        }
    }
}

extension Principal.Source: Equatable {
    /// Whether both are the same of the configuration, names byte for byte: tenants share their issuer's rules.
    package static func == (one: Principal.Source, other: Principal.Source) -> Bool {
        switch (one, other) {
        case (.jwt(let one, _), .jwt(let other, _)): one.hasSameBytes(as: other)
        case (.apiKey(let one), .apiKey(let other)): one.hasSameBytes(as: other)
        case (.certificate(let one), .certificate(let other)): one == other
        case (.forwardAuth, .forwardAuth), (.anonymous, .anonymous): true
        default: false
        }
    }
}
