import Concurrency
import FleetEngineToken
import GoogleCredentials
import HTTPClient
import ServiceConfiguration

/// Where Google signs, publishes keys and takes tokens.
struct GoogleEndpoints {
    let signing: OutgoingURL
    let keys: OutgoingURL
    let fleetEngine: OutgoingURL

    /// The configured endpoints, or those of the universe domain.
    init(_ google: Configuration.Google) throws(ConfigurationErrors) {
        let domain = google.universeDomain
        signing = try Self.url(google.iamCredentials, "https://iamcredentials.\(domain)")
        keys = try Self.url(google.keys, "https://www.\(domain)")
        fleetEngine = try Self.url(google.fleetEngine, "https://fleetengine.\(domain)")
    }

    private static func url(_ given: OutgoingURL?, _ text: String) throws(ConfigurationErrors) -> OutgoingURL {
        if let given { return given }
        return try ConfigurationErrors.wrapping("google") { () throws(OutgoingURLError) in
            try OutgoingURL(text)
        } sentence: {
            $0.sentence
        }
    }
}

/// The access tokens of one signer.
final class RemoteAccessTokens: AccessTokenProviding {
    private let source: AccessTokenSource
    private let credentials: AccessCredentials
    private let last = Guarded<AccessToken?>(nil)

    init(_ source: AccessTokenSource, of credentials: AccessCredentials) {
        (self.source, self.credentials) = (source, credentials)
    }

    func token(
        _ completion: @escaping @Sendable (Result<(token: Secret, expiresAt: Int64), RemoteSigningError>) -> Void
    ) {
        source.token { [self] result in
            switch result {
            case .success(let token):
                last.withLock { $0 = token }
                completion(.success((token.value, token.expiresAt)))
            case .failure(let error):
                let remedy = error.failure(of: credentials).remedy
                completion(
                    .failure(
                        RemoteSigningError(reason: error.sentence, retryAfter: error.isTransient ? 5 : nil, remedy)))
            }
        }
    }

    func reject() {
        if let token = last.withLock({ $0 }) { source.reject(token) }
    }
}
