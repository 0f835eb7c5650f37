import FleetEngineToken
import HTTPClient
import OpenSSLCrypto
import StrictJSON

/// Fetches an account's published keys once.
struct PublishedKeysFetcher: Sendable {
    private static let path = "/service_accounts/v1/jwk/"

    private static let limits = HTTPClientLimits(
        connectTimeout: .seconds(3), totalTimeout: .seconds(5), maxBodyBytes: 512 << 10, maxRedirects: 3,
        staysAtOrigin: true)

    private let request: HTTPClientRequest
    private let account: ServiceAccountName

    init(account: ServiceAccountName, base: OutgoingURL) throws(RemoteSigningError) {
        let url = try base.appending(Self.path + account.email, setting: "google.keys")
        request = HTTPClientRequest(
            url: url, fields: [HTTPClientField(constant: "accept", "application/json")], limits: Self.limits)
        self.account = account
    }

    private var host: String { request.url.endpoint }

    /// Fetches the keys. `clock` returns seconds since the epoch.
    func fetch(by send: HTTPSend, _ clock: @Sendable () -> Int64) async throws(PublishedKeysError) -> FetchedKeys {
        let response: HTTPClientResponse
        do { response = try await send(request) } catch {
            throw PublishedKeysError(sentence: error.sentence, outage: error)
        }
        switch response.status {
        case 200: break
        case 404:
            throw PublishedKeysError(
                sentence: "the account \(account.email) does not exist: \(host) has no keys for it (404)",
                isMissingAccount: true)
        case let status:
            throw PublishedKeysError(
                sentence: "\(host) answered with the status \(status); expected 200",
                isTransient: status == 429 || status >= 500)
        }
        do { return try FetchedKeys(response, at: clock()) } catch {
            throw PublishedKeysError(
                sentence: "\(host) answered with a bad key set: \(error.sentence)", isEmptySet: error.isEmptySet)
        }
    }
}

/// Why keys were not fetched.
struct PublishedKeysError: Error {
    /// One sentence for the log.
    let sentence: String
    /// Whether the account has no published keys, so does not exist.
    var isMissingAccount = false
    /// Whether there is a set of keys, in which none verifies.
    var isEmptySet = false
    /// Whether it may pass without the operator.
    var isTransient = false
    /// Why there was no answer; nil if there was one.
    var outage: HTTPClientError?

    /// Whether earlier keys are no longer valid, since none is published any more.
    var withdrawsKeys: Bool { isMissingAccount || isEmptySet }

    /// What to do about it, for the keys of this account.
    func remedy(_ account: String) -> Remedy {
        if isMissingAccount { return .missingAccount(account) }
        return outage?.remedy ?? (isTransient ? .later : Self.endpointRemedy)
    }

    static let endpointRemedy = Remedy("set google.keys to what publishes the accounts' keys, or remove it")
}

/// A fetched JWK set.
struct FetchedKeys: Sendable {
    /// Keys that verify RS256, each with an id; at least one.
    let keys: [JWK]
    /// The same as JSON.
    let set: [UInt8]
    /// The time for which the answer says it is fresh; nil if it does not say.
    let age: Duration?

    /// The set in an answer received at `now`, in seconds since the epoch.
    init(_ response: HTTPClientResponse, at now: Int64) throws(PublishedKeysError) {
        guard response.isJSON else {
            throw PublishedKeysError(sentence: "its content type is not application/json; expected a JWK set")
        }
        let set = try Self.parse(response.body.selfDelimiting)
        let named = set.keys.compactMap { key in key.keyID.map { (keyID: $0, publicKey: key.key) } }
        guard !named.isEmpty else {
            let reasons = set.skipped.first.map { "; \($0)" } ?? ""
            throw PublishedKeysError(
                sentence: "it has no key with a kid that verifies RS256; expected one\(reasons)", isEmptySet: true)
        }
        keys = set.keys.filter { $0.keyID != nil }
        age = CacheLifetime.seconds(response, at: now).map { .seconds($0) }
        do { self.set = try JWKSet.render(named) } catch { throw PublishedKeysError(sentence: error.sentence) }
    }

    /// The keys with this id.
    func keys(_ keyID: String) -> [VerificationKey] {
        keys.filter { $0.keyID?.hasSameBytes(as: keyID) ?? false }.map(\.key)
    }

    private static func parse(_ body: [UInt8]) throws(PublishedKeysError) -> JWKSet {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw PublishedKeysError(sentence: error.sentence) }
        do { return try JWKSet(json, for: [.rs256]) } catch { throw PublishedKeysError(sentence: error.sentence) }
    }
}

extension OutgoingURL {
    /// The URL of a path at this base URL, which must not have a query. `setting` is its name in messages.
    func appending(_ path: String, setting: String) throws(RemoteSigningError) -> OutgoingURL {
        func fault(_ what: String) -> RemoteSigningError {
            RemoteSigningError(
                reason: "\(setting) \(what)", retryAfter: nil, Remedy("correct the setting \(setting)"))
        }
        guard !text.contains("?") else { throw fault("has a query (?); expected https://HOST[:PORT]") }
        do { return try OutgoingURL(text.hasSuffix("/") ? text.dropLast() + path : text + path) } catch {
            throw fault("\(error.problem); expected \(OutgoingURL.expectation)")
        }
    }
}
