import CallerAccess
import HTTPClient
import HTTPServer
import OpenSSLCrypto
import StrictJSON

/// Fetches an issuer's JWK set, from its URL or from the one that the issuer's metadata names.
struct KeySetFetcher: Sendable {
    private static let limits = Result { () throws(HTTPClientLimitError) in
        try HTTPClientLimits(
            connectTimeout: .seconds(5), totalTimeout: .seconds(10), maxBodyBytes: 512 << 10, maxRedirects: 3,
            // What another origin serves nobody has configured.
            staysAtOrigin: true)
    }

    let issuer: String
    let source: Source
    let client: OutgoingClient

    /// Where it begins.
    package enum Source {
        case metadata(OutgoingURL)
        case keys(OutgoingURL)
    }

    /// Fetches once; the completion is called once, on the client's thread.
    func fetch(_ completion: @escaping @Sendable (Result<FetchedKeySet, KeySetFetchError>) -> Void) {
        switch source {
        case .keys(let url): fetchKeys(url, completion)
        case .metadata(let url):
            get(url) { result in
                do throws(KeySetFetchError) {
                    fetchKeys(try keysURL(try result.get()), completion)
                } catch {
                    completion(.failure(error))
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
                    try FetchedKeySet(try result.get(), at: ServerTime.now().epochSeconds)
                })
        }
    }

    private func get(
        _ url: OutgoingURL, _ completion: @escaping @Sendable (Result<HTTPClientResponse, KeySetFetchError>) -> Void
    ) {
        let request: HTTPClientRequest
        do {
            request = try HTTPClientRequest(
                url: url, fields: [try HTTPClientField("accept", "application/json")], limits: try Self.limits.get())
        } catch {
            return completion(.failure(KeySetFetchError("\(error)")))
        }
        client.send(request) { result in
            completion(
                Result { () throws(KeySetFetchError) in
                    switch result {
                    case .failure(let error): throw KeySetFetchError(error.sentence)
                    case .success(let response) where response.status != 200:
                        throw KeySetFetchError(
                            "\(url.endpoint) answered with the status \(response.status); expected 200")
                    case .success(let response): return response
                    }
                })
        }
    }

    /// `jwks_uri` of metadata that is really the issuer's (OpenID Connect Discovery 1.0 section 4.3).
    private func keysURL(_ response: HTTPClientResponse) throws(KeySetFetchError) -> OutgoingURL {
        guard case .object(let members)? = try? JSONValue(parsing: response.body) else {
            throw KeySetFetchError("the issuer's metadata is no JSON object")
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
        do throws(OutgoingURLError) {
            url = try OutgoingURL(text)
        } catch {
            throw KeySetFetchError("the issuer's jwks_uri \(error.problem); expected \(OutgoingURL.expectation)")
        }
        if case .metadata(let metadata) = source, metadata.isSecure, !url.isSecure {
            throw KeySetFetchError("the issuer's jwks_uri leaves TLS; expected an https URL, as its metadata's")
        }
        return url
    }
}

/// A JWK set as it was fetched.
struct FetchedKeySet: Sendable {
    let keys: JWKSet
    let bytes: [UInt8]
    /// Seconds for which the provider calls it fresh; nil if it does not say.
    let age: Int64?

    /// The set of an answer that came at `now`, in seconds since the epoch.
    init(_ response: HTTPClientResponse, at now: Int64) throws(KeySetFetchError) {
        do throws(JWKSetError) {
            keys = try JWKSet(parsing: response.body)
        } catch {
            throw KeySetFetchError("the issuer's key set is refused: \(error.sentence)")
        }
        guard !keys.keys.isEmpty else {
            throw KeySetFetchError(
                "the issuer's key set has no key that can verify; expected one at least\(keys.reasons)")
        }
        bytes = response.body
        age = CacheLifetime.seconds(response, at: now)
    }
}

/// Why keys were not fetched, in one sentence.
struct KeySetFetchError: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}
