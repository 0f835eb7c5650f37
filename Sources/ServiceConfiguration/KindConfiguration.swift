import FleetEngineToken

extension Configuration {
    /// The kinds of tokens that are served, and what each has of its own.
    package struct Kinds: Sendable, Equatable {
        /// The kinds that are served; nil for those that name specific ids and have a key, and the wildcard kinds that
        /// have a key of their own.
        package var enabled: [TokenKind]?
        private var byKind = PerKind { _ in Kind() }

        subscript(kind: TokenKind) -> Kind {
            get { byKind[kind] }
            set { byKind[kind] = newValue }
        }

        /// Whether the kind is served, once it has a key: its own or `credentials`.
        func serves(_ kind: TokenKind) -> Bool {
            if let enabled { return enabled.contains(kind) }
            return !kind.isWildcard || self[kind].credentials != nil
        }
    }

    /// What one kind of token has of its own; what is nil is as for all.
    package struct Kind: Sendable, Equatable {
        /// The key file that signs this kind.
        package var credentials: String?
        /// The `aud` claim.
        package var audience: String?
        /// Seconds from `iat` to `exp`.
        package var lifetime: Int64?
        /// Seconds by which `iat` lies before the time of signing.
        package var backdate: Int64?
        /// Seconds by which clients are told an earlier end than `exp`.
        package var clientMargin: Int64?

        /// A value of these parts.
        package init(
            credentials: String? = nil, audience: String? = nil, lifetime: Int64? = nil, backdate: Int64? = nil,
            clientMargin: Int64? = nil
        ) {
            self.credentials = credentials
            self.audience = audience
            self.lifetime = lifetime
            self.backdate = backdate
            self.clientMargin = clientMargin
        }
    }
}

extension ConfigurationValues {
    /// The key file that signs a kind; nil if the kind is off.
    package func keyFile(of kind: TokenKind) -> String? {
        kinds.serves(kind) ? namedKeyFile(of: kind) : nil
    }

    /// The key file that a kind has of its own or in common, whether or not it is served.
    package func namedKeyFile(of kind: TokenKind) -> String? { kinds[kind].credentials ?? credentials }

    /// What a kind that is not served lacks. A wildcard kind needs a key of its own, unless the list names it.
    package func absence(of kind: TokenKind) -> KindAbsence {
        guard let enabled = kinds.enabled, !enabled.contains(kind) else { return .key }
        return namedKeyFile(of: kind) == nil ? .listingAndKey : .listing
    }

    /// What a kind's tokens say and how long they live.
    package func tokenSettings(of kind: TokenKind) -> Configuration.Token {
        let own = kinds[kind]
        var token = token
        token.audience = own.audience ?? token.audience
        token.lifetime = own.lifetime ?? token.lifetime
        token.backdate = own.backdate ?? token.backdate
        token.clientMargin = own.clientMargin ?? token.clientMargin
        return token
    }
}
