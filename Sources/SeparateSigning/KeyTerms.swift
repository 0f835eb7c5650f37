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
        var json = JSONWriter()
        json.object { json in
            json.key("keys")
            json.array { json in for key in keys { key.write(to: &json) } }
            json.member("allowed_hosts", allowedHosts)
            json.member("universe_domain", universeDomain)
            json.member("batch", batch)
            json.member("default_accounts", allowsDefaultServiceAccounts)
            json.member("confined", isConfined)
        }
        return json.bytes
    }

    init?(json: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: json),
            let keys = members["keys"]?.elements(Key.init), let hosts = members["allowed_hosts"]?.texts,
            let domain = members["universe_domain"]?.text, let batch = members["batch"]?.text
        else { return nil }
        self.init(
            keys: keys, universeDomain: domain, batch: batch, isConfined: members["confined"] != .bool(false))
        allowedHosts = hosts
        allowsDefaultServiceAccounts = members["default_accounts"] == .bool(true)
    }
}

extension KeyTerms.Key {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("credentials", credentials)
            json.key("tokens")
            json.array { json in
                for tokens in tokens {
                    json.object { json in
                        json.member("kind", tokens.kind.rawValue)
                        json.member("audience", tokens.audience)
                        json.member("lifetime", tokens.lifetime)
                    }
                }
            }
        }
    }

    fileprivate init?(_ json: JSONValue) {
        guard case .object(let members) = json, let credentials = members["credentials"]?.text,
            let tokens = members["tokens"]?.elements(KeyTerms.Tokens.init)
        else { return nil }
        self.init(credentials: credentials, tokens: tokens)
    }
}

extension KeyTerms.Tokens {
    fileprivate init?(_ json: JSONValue) {
        guard case .object(let members) = json, let kind = members["kind"]?.text.flatMap(TokenKind.init),
            let audience = members["audience"]?.text, case .integer(let lifetime)? = members["lifetime"]
        else { return nil }
        self.init(kind, audience: audience, lifetime: lifetime)
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }

    var texts: [String]? { elements(\.text) }

    /// The elements of an array; nil if it is none, or one of them is not as expected.
    func elements<Element>(_ element: (JSONValue) -> Element?) -> [Element]? {
        guard case .array(let values) = self else { return nil }
        let elements = values.compactMap(element)
        return elements.count == values.count ? elements : nil
    }
}
