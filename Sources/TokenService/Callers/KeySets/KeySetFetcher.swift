import CallerAccess
import FleetEngineToken
import GoogleCredentials
import HTTPClient
import HTTPServer
import OpenSSLCrypto
import StrictJSON
import SystemFiles

/// Fetches an issuer's JWK set, from its URL or from the one that the issuer's metadata names.
struct KeySetFetcher: Sendable {
    private static let limits = HTTPClientLimits(
        connectTimeout: .seconds(5), totalTimeout: .seconds(10), maxBodyBytes: 512 << 10, maxRedirects: 3,
        // Other origins are not configured.
        staysAtOrigin: true)

    let issuer: String
    let algorithms: [JWSAlgorithm]
    var use = JWKSet.usualUse
    let source: Source
    /// The file of the token that is sent to the configured host.
    var tokenFile: String?
    let client: OutgoingClient

    /// The first URL: the issuer's metadata, or its keys.
    package enum Source {
        case metadata(OutgoingURL)
        case keys(OutgoingURL)

        var url: OutgoingURL {
            switch self {
            case .metadata(let url), .keys(let url): url
            }
        }
    }

    /// Fetches once; the completion is called once, on the client's thread.
    func fetch(_ completion: @escaping @Sendable (Result<FetchedKeySet, KeySetFetchError>) -> Void) {
        switch source {
        case .keys(let url): fetchKeys(url, completion)
        case .metadata(let url):
            get(url) { result in
                do throws(KeySetFetchError) { fetchKeys(try keysURL(try result.get()), completion) } catch {
                    completion(.failure(error.asking(url)))
                }
            }
        }
    }

    private func fetchKeys(
        _ url: OutgoingURL, _ completion: @escaping @Sendable (Result<FetchedKeySet, KeySetFetchError>) -> Void
    ) {
        get(url) { result in
            completion(
                Result { () throws(KeySetFetchError) in
                    try FetchedKeySet(try result.get(), for: algorithms, use, at: ServerTime.now().epochSeconds)
                }.mapError { $0.asking(url) })
        }
    }

    private func get(
        _ url: OutgoingURL, _ completion: @escaping @Sendable (Result<HTTPClientResponse, KeySetFetchError>) -> Void
    ) {
        // A cache in between must not keep a withdrawn key (RFC 9111 section 5.2.1.4).
        var fields = [
            HTTPClientField(constant: "accept", "application/json"),
            HTTPClientField(constant: "cache-control", "no-cache"),
        ]
        do throws(KeySetFetchError) {
            if let tokenFile, url.hasSameOrigin(as: source.url) { fields.append(try KeysToken.field(tokenFile)) }
        } catch {
            return completion(.failure(error))
        }
        client.send(HTTPClientRequest(url: url, fields: fields, limits: Self.limits)) { result in
            completion(
                Result { () throws(KeySetFetchError) in
                    switch result {
                    case .failure(let error): throw KeySetFetchError(error)
                    case .success(let response) where response.status != 200:
                        throw KeySetFetchError(
                            "\(url.endpoint) answered with the status \(response.status); expected 200")
                    case .success(let response): return response
                    }
                })
        }
    }

    /// `jwks_uri` of the metadata, which must name the issuer (OpenID Connect Discovery 1.0 section 4.3).
    private func keysURL(_ response: HTTPClientResponse) throws(KeySetFetchError) -> OutgoingURL {
        guard case .object(let members)? = try? JSONValue(parsing: response.body.selfDelimiting) else {
            throw KeySetFetchError("the issuer's metadata is not a JSON object")
        }
        guard case .string(let name) = members["issuer"], name.hasSameBytes(as: issuer) else {
            throw KeySetFetchError(
                "the issuer's metadata is for another issuer: "
                    + ReceivedValue.comparison("issuer", members["issuer"], expected: [issuer]))
        }
        guard case .string(let text) = members["jwks_uri"] else {
            throw KeySetFetchError("the issuer's metadata has no jwks_uri")
        }
        let url: OutgoingURL
        do { url = try OutgoingURL(plain: text, toHosts: source.url.isSecure ? [] : [source.url.host]) } catch {
            throw KeySetFetchError("the issuer's jwks_uri \(error.problem); expected \(OutgoingURL.expectation)")
        }
        if case .metadata(let metadata) = source, metadata.isSecure, !url.isSecure {
            throw KeySetFetchError("the issuer's jwks_uri is an http URL; expected https, as for its metadata")
        }
        return url
    }
}

/// The token of `keys_token_file`, for key sets that need one (RFC 6750).
enum KeysToken {
    /// The field that sends the token, which is read each time, since another program renews it.
    static func field(_ path: String) throws(KeySetFetchError) -> HTTPClientField {
        do {
            let token = try TrustedFile(path: path, for: .sent("a token")).line
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw TrustedFileError(predicate: "holds no token; expected one line of visible ASCII without blanks")
            }
            return try HTTPClientField("authorization", "Bearer \(token)")
        } catch {
            throw KeySetFetchError(
                "\(CredentialCopies.own.readable(path)) \((error as? TrustedFileError)?.predicate ?? "\(error)")")
        }
    }
}

/// A fetched JWK set.
struct FetchedKeySet: Sendable {
    let keys: JWKSet
    let bytes: [UInt8]
    /// The host and the port of the proxy that it came through; nil for none.
    let proxy: String?
    /// Seconds for which the provider says it is fresh; nil if it does not say.
    let age: Int64?

    /// The set in an answer received at `now`, in seconds since the epoch; throws if it has no key for any of the algorithms.
    init(
        _ response: HTTPClientResponse, for algorithms: [JWSAlgorithm], _ use: String, at now: Int64
    ) throws(KeySetFetchError) {
        do { keys = try JWKSet(parsing: response.body.selfDelimiting, use: use) } catch {
            throw KeySetFetchError("the issuer's key set is invalid: \(error.sentence)")
        }
        if let problem = keys.unfitness(for: algorithms) {
            throw KeySetFetchError(
                "the issuer's key set \(problem); expected at least one\(keys.reasons)", withdrawsKeys: true)
        }
        (bytes, proxy) = (response.body.selfDelimiting, response.proxy)
        age = CacheLifetime.seconds(response, at: now)
    }
}

/// Why keys were not fetched.
struct KeySetFetchError: Error {
    let sentence: String
    /// How the provider is reached; nil if it was.
    private(set) var remedy: Remedy?
    /// Whether the provider says that its earlier keys are no longer valid, as it may when its only key was stolen.
    var withdrawsKeys = false
    /// What was asked for last.
    private(set) var url: OutgoingURL?

    func asking(_ url: OutgoingURL) -> KeySetFetchError {
        var error = self
        error.url = url
        return error
    }

    init(_ sentence: String, withdrawsKeys: Bool = false) {
        (self.sentence, self.withdrawsKeys) = (sentence, withdrawsKeys)
    }

    /// The error of a request without an answer.
    init(_ error: HTTPClientError) {
        sentence = error.sentence
        switch error.cause {
        case .unresolved, .cannotConnect, .tls, .proxy, .timeout(.resolving, _), .timeout(.connecting, _),
            .timeout(.securing, _):
            remedy = error.remedy
        case .timeout, .busy, .shutDown, .other, .tooLarge, .redirect: break
        }
    }
}

/// Why a key set is of no use to an issuer.
extension JWKSet {
    /// Why keys are skipped; nil if none is.
    var shortcomings: String? { skipped.isEmpty ? nil : skipped.joined(separator: "; ") }

    /// The same to append to a sentence.
    package var reasons: String { shortcomings.map { "; \($0)" } ?? "" }

    /// What the set lacks if no key is for any of the algorithms: the predicate of a sentence; nil if one is.
    func unfitness(for algorithms: [JWSAlgorithm]) -> String? {
        guard !keys.isEmpty else { return "has no key that can verify" }
        guard !keys.contains(where: { key in algorithms.contains { key.verifies(by: $0) } }) else { return nil }
        return "has no key for \(algorithms.map(\.rawValue).joined(separator: " or "))"
    }
}
