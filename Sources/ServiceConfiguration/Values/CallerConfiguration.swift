import CallerAccess
import FleetEngineToken
import HTTPClient

extension Configuration {
    /// What `callers` may say.
    package enum Callers: String, CaseIterable, Sendable {
        /// Callers are not authenticated.
        case unauthenticated = "none"
    }

    /// An identity provider whose tokens callers may use.
    package struct Issuer: Sendable, Equatable {
        /// Which of its tokens are accepted.
        package let policy: IssuerPolicy
        /// Where its keys are.
        package let keys: KeySource
        /// The file of the token that is sent for keys; nil for none.
        package var keysTokenFile: String?
        /// Seconds for which cached keys are used while the provider is unreachable.
        package let keepKeys: Int64

        /// Where its keys are asked for first; nil if they are in a file, or nowhere.
        package var keysURL: OutgoingURL? {
            switch keys {
            case .discovery(let url), .url(let url): url
            case .file, .none: nil
            }
        }

        /// Where an issuer's keys are.
        package enum KeySource: Sendable, Equatable {
            /// Where the issuer's metadata at this URL says (OpenID Connect Discovery 1.0 section 4).
            case discovery(OutgoingURL)
            /// At this URL, as a JWK set (RFC 7517 section 5).
            case url(OutgoingURL)
            /// In this file, as a JWK set.
            case file(String)
            /// Nowhere, since nothing is signed.
            case none
        }
    }

    /// The API keys of servers.
    package struct APIKeys: Sendable, Equatable {
        /// The file of their digests; nil if API keys are not accepted.
        package var file: String?
        /// The header that may hold a key besides `Authorization`; nil if there is no other.
        package var header: String?
    }

    /// The company's back end, which decides for rules with `forward_auth`.
    package struct ForwardAuth: Sendable, Equatable {
        /// Its URL; nil if there is none.
        package var url: OutgoingURL?
        package var method = Method.post
        /// How it answers.
        package var body = BackEndForm.json
        /// Names of headers that it receives besides `Authorization`.
        package var headers: [String] = []
        /// How long a request may take, including the wait for a connection.
        package var timeout = Duration.seconds(1)
        /// How many requests may be sent at once.
        package var maxConnections = 32
        /// How many more requests may wait for a decision.
        package var maxWaiting = 1024
        /// How long a decision is cached; zero for never.
        package var cacheTime = Duration.seconds(10)
        /// The memory for cached decisions, in bytes.
        package var cacheBytes = 16 << 20

        /// How it is asked.
        package enum Method: String, CaseIterable, Sendable {
            /// With a JSON object.
            case post = "POST"
            /// With the headers by which proxies ask such services.
            case get = "GET"
        }
    }

    /// The same for callers with unsigned tokens of the Firebase Auth emulator, who may have a token for any id, or as drivers
    /// only for the vehicle of their claim. For `demo` alone, whose own tokens are worthless: no setting leads here.
    package func trustingEmulator(of name: String, drivers: Bool = false) throws(IssuerPolicyError) -> Configuration {
        var configuration = self
        let policy = try IssuerPolicy.firebaseEmulator(project: name)
        configuration.issuers = [Issuer(policy: policy, keys: .none, keepKeys: 0)]
        (configuration.callers, configuration.rules) = (nil, Self.demoRules(restrictingDrivers: drivers))
        return configuration
    }

    private static func demoRules(restrictingDrivers: Bool) -> [AccessRule] {
        let ids = Dictionary(uniqueKeysWithValues: IDName.allCases.map { ($0, AllowedIDs.any) })
        let kinds = Set(TokenKind.ofSpecificIDs)
        let all = try? AccessRule(name: "firebase-emulator", kinds: kinds, ids: ids)
        guard restrictingDrivers else { return [all].compactMap(\.self) }
        let own = (try? ClaimPath("vehicle")).map { [IDName.vehicleID: AllowedIDs.claim($0)] }
        let drivers = own.flatMap { try? AccessRule(name: "drivers", kinds: [.driver], ids: $0) }
        let others = try? AccessRule(
            name: "everyone", kinds: kinds.subtracting([.driver]), ids: ids.filter { $0.key != .vehicleID })
        return [drivers, others].compactMap(\.self)
    }

    /// Whether callers are authenticated in any way, including by the company's back end.
    package var authenticates: Bool {
        !issuers.isEmpty || apiKeys.file != nil || tls.clientCAFile != nil || forwardAuth.url != nil
    }
}
