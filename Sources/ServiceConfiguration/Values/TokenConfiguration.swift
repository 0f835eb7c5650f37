import FleetEngineToken
import HTTPClient
import OpenSSLCrypto

extension Configuration {
    /// What every token says and how long it lives; times are in seconds.
    package struct Token: Sendable, Equatable {
        /// The `aud` claim.
        package var audience = TokenPolicy.fleetEngineAudience
        /// `exp - iat`; Fleet Engine refuses an `exp` more than an hour ahead.
        package var lifetime: Int64 = 3600
        /// How far `iat` precedes the time of signing, for clocks that run fast.
        package var backdate: Int64 = 300
        /// How far the expiry in an answer precedes `exp`.
        package var clientMargin: Int64 = 60

        /// How long a client may use a new token; not positive if the values contradict each other.
        package var usableSeconds: Int64 { lifetime - backdate - clientMargin }
    }

    /// How long tokens are cached for further requests.
    package struct Cache: Sendable, Equatable {
        /// A cached token is reused while at least this part of its lifetime remains.
        package var reuseFraction = 0.5
        /// The memory for cached tokens, in bytes.
        package var maxBytes = 64 << 20
    }

    /// The kinds of tokens that are served, and the settings of each.
    package struct Kinds: Sendable, Equatable {
        /// The kinds that are served. Nil means every kind for specific ids that has a key, and every wildcard kind that
        /// has a key of its own.
        package var enabled: [TokenKind]?
        private var byKind = PerKind { _ in Kind() }

        /// What the kind has of its own.
        package subscript(kind: TokenKind) -> Kind {
            get { byKind[kind] }
            set { byKind[kind] = newValue }
        }

        /// Whether the kind is served, once it has a key: its own or `credentials`.
        func serves(_ kind: TokenKind) -> Bool {
            if let enabled { return enabled.contains(kind) }
            let own = self[kind]
            return !kind.isWildcard || own.credentials != nil || own.signAs != nil || own.key != nil
        }
    }

    /// The settings of one kind of token; nil means as for all kinds.
    package struct Kind: Sendable, Equatable {
        /// The key file that signs this kind.
        package var credentials: String?
        /// The account whose tokens are made; nil for that of the credentials.
        package var signAs: String?
        /// The key in hardware that signs this kind, instead of credentials.
        package var key: PKCS11URI?
        /// The service account of `key`.
        package var email: String?
        /// The id of `key`.
        package var keyID: String?
        /// The `aud` claim.
        package var audience: String?
        /// Seconds from `iat` to `exp`.
        package var lifetime: Int64?
        /// Seconds by which `iat` precedes the time of signing.
        package var backdate: Int64?
        /// Seconds by which the expiry in an answer precedes `exp`.
        package var clientMargin: Int64?
    }

    /// The key that signs a kind; nil if the kind is off.
    package func keyFile(of kind: TokenKind) -> String? {
        kinds.serves(kind) ? namedKeyFile(of: kind) : nil
    }

    /// The key or credentials of a kind, its own or the common ones, whether or not the kind is served: the URI of a key
    /// in hardware, a file, or `Configuration.applicationDefault`, which is searched for unless other kinds alone have
    /// credentials or a key.
    package func namedKeyFile(of kind: TokenKind) -> String? {
        let own = kinds[kind]
        if let named = own.key?.text ?? own.credentials ?? credentials { return named }
        let isSearched =
            signAs(of: kind) != nil
            || TokenKind.allCases.allSatisfy { kinds[$0].credentials == nil && kinds[$0].key == nil }
        return isSearched ? Configuration.applicationDefault : nil
    }

    /// Whether any setting says which key or credentials, or whose, to use.
    package var choosesCredentials: Bool {
        TokenKind.allCases.contains { kind in
            kinds[kind].key != nil || (kinds[kind].credentials ?? credentials ?? signAs(of: kind)) != nil
        }
    }

    /// The account whose tokens a kind has; nil for that of the credentials.
    package func signAs(of kind: TokenKind) -> String? { kinds[kind].signAs ?? signAs }

    /// The files of credentials that the configuration names.
    package var credentialFiles: [String] {
        TokenKind.allCases.filter { kinds[$0].key == nil }.compactMap(keyFile(of:)).filter {
            $0 != Configuration.applicationDefault
        }
    }

    /// What a kind that is not served needs. A wildcard kind needs a key of its own, unless `kinds.enabled` names it.
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

    /// The value of `credentials` that means a search (AIP-4110) instead of a file.
    package static let applicationDefault = "application_default"

    /// Google's endpoints, which Private Service Connect changes.
    package struct Google: Sendable, Equatable {
        /// The domain of Google's services; sovereign clouds have their own.
        package var universeDomain = "googleapis.com"
        /// IAM Credentials; nil for the usual one.
        package var iamCredentials: OutgoingURL?
        /// Where accounts' public keys are published; nil for the usual one.
        package var keys: OutgoingURL?
        /// Seconds between two questions whether they are still published; 0 for none.
        package var keysInterval: Int64 = 86_400
        /// Fleet Engine, which only `doctor` asks; nil for the usual one.
        package var fleetEngine: OutgoingURL?
    }

    /// How keys in hardware are reached.
    package struct PKCS11: Sendable, Equatable {
        /// The path of the module.
        package var module: String?
        /// The path of the file with the PIN; nil if the tokens require none.
        package var pin: String?
    }

    /// How signatures are made: the quota of those that Google makes, and whether several are made at once here.
    package struct Signing: Sendable, Equatable {
        /// Whether several RSA-2048 signatures are made at once.
        package var batch = Batch.auto
        /// Where keys are.
        package var process = Process.inside
        /// Signatures a minute that the project may have.
        package var quota = 60_000
        /// The part of them that this daemon may use, up to 1.
        package var quotaShare = 1.0
    }

    /// Which process has the keys of key files.
    package enum Process: String, CaseIterable, Sendable {
        /// The one that serves.
        case inside
        /// One without network that only signs.
        case separate
    }

    /// Where the library is that makes several signatures at once.
    package enum Batch: Sendable, Equatable, CustomStringConvertible {
        /// Where the system's libraries are, if anywhere.
        case auto
        /// Nowhere: each signature is made alone.
        case off
        /// At this path.
        case path(String)

        /// Reads what `description` writes.
        package init(_ text: String) {
            switch text {
            case "auto": self = .auto
            case "off": self = .off
            default: self = .path(text)
            }
        }

        /// The value of the setting.
        package var description: String {
            switch self {
            case .auto: "auto"
            case .off: "off"
            case .path(let path): path
            }
        }
    }
}
