import FleetEngineToken
import StrictJSON

/// All that the processes with keys of a daemon ever load and sign. It is fixed before the daemon can be reached: an attacker who
/// takes it over later can only ask for tokens that the configuration of the start allows.
package struct KeyTerms: Hashable, Sendable {
    package var keys: [Key]
    package var allowsDefaultServiceAccounts = false
    /// Hosts that the files may name, besides Google's.
    package var allowedHosts: [String] = []
    package var universeDomain: String
    /// `signing.batch` as it is configured.
    package var batch: String
    /// Whether the processes confine themselves.
    package var isConfined: Bool

    /// One of the credentials that may have a key, and what is signed with that.
    package struct Key: Hashable, Sendable {
        /// A file's path, or `application_default`.
        package let credentials: String
        package let tokens: [Tokens]

        package init(credentials: String, tokens: [Tokens]) { (self.credentials, self.tokens) = (credentials, tokens) }
    }

    /// The tokens of one kind.
    package struct Tokens: Hashable, Sendable {
        package let kind: TokenKind
        package let audience: String
        /// The most seconds from `iat` to `exp`.
        package let lifetime: Int64

        package init(_ kind: TokenKind, audience: String, lifetime: Int64) {
            (self.kind, self.audience, self.lifetime) = (kind, audience, lifetime)
        }
    }

    package init(keys: [Key], universeDomain: String, batch: String, isConfined: Bool) {
        (self.keys, self.universeDomain) = (keys, universeDomain)
        (self.batch, self.isConfined) = (batch, isConfined)
    }

    /// The settings by which these allow what others do not.
    package func excess(over others: KeyTerms) -> [String] {
        let pairs = keys.map { key in (key, others.keys.first { $0.credentials == key.credentials }) }
        let tokens = pairs.flatMap { key, other in
            key.tokens.map { tokens in (tokens, other?.tokens.first { $0.kind == tokens.kind }) }
        }
        return [
            ("the key files", pairs.allSatisfy { $1 != nil }),
            ("the kinds of each key", tokens.allSatisfy { $1 != nil }),
            ("the audiences of tokens", tokens.allSatisfy { $1?.audience ?? $0.audience == $0.audience }),
            ("the longest lifetime", tokens.allSatisfy { $0.lifetime <= $1?.lifetime ?? $0.lifetime }),
            ("allow_default_service_accounts", allowsDefaultServiceAccounts == others.allowsDefaultServiceAccounts),
            ("credentials_allowed_hosts", allowedHosts == others.allowedHosts),
            ("google.universe_domain", universeDomain == others.universeDomain),
            ("signing.batch", batch == others.batch),
        ].filter { !$0.1 }.map(\.0)
    }
}

extension KeyTerms {
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("keys", keys) { json, key in
                json.member("credentials", key.credentials)
                json.member("tokens", key.tokens) { json, tokens in
                    json.member("kind", tokens.kind.rawValue)
                    json.member("audience", tokens.audience)
                    json.member("lifetime", tokens.lifetime)
                }
            }
            json.member("allowed_hosts", allowedHosts)
            json.member("universe_domain", universeDomain)
            json.member("batch", batch)
            json.member("default_accounts", allowsDefaultServiceAccounts)
            json.member("confined", isConfined)
        }
    }

    init?(json text: [UInt8]) {
        guard let json = try? JSONValue(parsing: text), let keys = json["keys"]?.elements(Key.init),
            let hosts = json["allowed_hosts"]?.texts, let domain = json["universe_domain"]?.text,
            let batch = json["batch"]?.text
        else { return nil }
        self.init(keys: keys, universeDomain: domain, batch: batch, isConfined: json["confined"] != .bool(false))
        allowedHosts = hosts
        allowsDefaultServiceAccounts = json["default_accounts"] == .bool(true)
    }
}

extension KeyTerms.Key {
    fileprivate init?(_ json: JSONValue) {
        guard let credentials = json["credentials"]?.text,
            let tokens = json["tokens"]?.elements(KeyTerms.Tokens.init)
        else { return nil }
        self.init(credentials: credentials, tokens: tokens)
    }
}

extension KeyTerms.Tokens {
    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.text.flatMap(TokenKind.init), let audience = json["audience"]?.text,
            case .integer(let lifetime)? = json["lifetime"]
        else { return nil }
        self.init(kind, audience: audience, lifetime: lifetime)
    }
}
