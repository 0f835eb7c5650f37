import CallerAccess
import FleetEngineToken
import HTTPClient
import Logging
import OpenSSLCrypto
import ServiceConfiguration

/// The identity providers of a configuration: what verifies their tokens, and where its keys come from.
package struct IssuerSetup: Sendable {
    package let verifier: BearerTokenVerifier
    /// What fetches keys, by the issuers' names; issuers whose keys are in files have none.
    package let feeds: [String: KeySetFeed]
    private let issuers: [Configuration.Issuer]
    private let certificateAuthorities: String?

    /// Throws what is wrong with the files of keys, or why nothing can be fetched. Issuers that are as they were in a former
    /// setup go on, and with them their feeds and the keys they have: what is wrong with one provider keeps nobody from a
    /// change of another.
    package init(_ values: ConfigurationValues, after former: IssuerSetup?, logger: Logger) throws(ConfigurationErrors)
    {
        (issuers, certificateAuthorities) = (values.issuers, values.outgoing.caFile)
        let fileKeys = try Self.fileKeys(of: issuers)
        let kept = former.map { Self.kept(values, of: $0) } ?? []
        let verifier = try ConfigurationErrors.wrapping("issuers") { () throws(IssuerPolicyError) in
            try BearerTokenVerifier(
                issuers: values.issuers.map(\.policy), keeping: kept, of: former?.verifier,
                claims: Set(values.rules.flatMap(\.claimNames)))
        } sentence: {
            $0.sentence
        }
        for (issuer, keys) in fileKeys { verifier.replaceKeys(of: issuer, with: keys) }
        self.verifier = verifier
        let going = former?.feeds.filter { kept.contains($0.key) } ?? [:]
        feeds = try Self.feeds(values, into: verifier, logger, besides: going).merging(going) { $1 }
    }

    /// The names of the issuers that are as they were, and fetch their keys: keys of files belong to their reading, and count
    /// with its rules alone.
    private static func kept(_ values: ConfigurationValues, of former: IssuerSetup) -> Set<String> {
        guard former.certificateAuthorities == values.outgoing.caFile else { return [] }
        return Set(values.issuers.filter { $0.keys.fetched != nil && former.issuers.contains($0) }.map(\.policy.issuer))
    }

    /// The keys in the files of these issuers; throws what is wrong with any of the files.
    static func fileKeys(
        of issuers: [Configuration.Issuer]
    ) throws(ConfigurationErrors) -> [(issuer: String, keys: JWKSet)] {
        var errors = ConfigurationErrors(sentences: [])
        var fileKeys: [(issuer: String, keys: JWKSet)] = []
        for issuer in issuers {
            guard case .file(let path) = issuer.keys else { continue }
            let keys = errors.noting { () throws(ConfigurationErrors) in
                try JWKSet(reading: path, for: issuer.policy.algorithms)
            }
            if let keys { fileKeys.append((issuer.policy.issuer, keys)) }
        }
        guard errors.sentences.isEmpty else { throw errors }
        return fileKeys
    }

    /// Begins to fetch what is not fetched yet.
    func startFeeds() {
        for feed in feeds.values { feed.start() }
    }

    /// Waits until each issuer has keys, or has been asked for them in vain; why those without have none, a sentence
    /// each. Blocks.
    package func outagesAfterFetching() -> [String] {
        for feed in feeds.values { feed.waitForKeys() }
        return feeds.sorted { $0.key < $1.key }.compactMap { $0.value.outage }
    }

    /// Ends what fetches, those feeds apart that another setup goes on with.
    package func stopFeeds(besides kept: IssuerSetup?) {
        for (issuer, feed) in feeds where kept?.feeds[issuer] !== feed { feed.stop() }
    }

    /// The issuers whose keys have not come yet, by their names.
    package var unfetched: [String] { feeds.filter { !$0.value.hasFetched }.keys.sorted() }

    private static func feeds(
        _ values: ConfigurationValues, into verifier: BearerTokenVerifier, _ logger: Logger,
        besides going: [String: KeySetFeed]
    ) throws(ConfigurationErrors) -> [String: KeySetFeed] {
        let fetched = values.issuers.filter { $0.keys.fetched != nil && going[$0.policy.issuer] == nil }
        // libcurl is not even loaded where nothing is fetched.
        guard !fetched.isEmpty else { return [:] }
        let client = try HTTPClient.make("issuers") { () throws(HTTPClientLimitError) in
            try HTTPClientSettings(certificateAuthorities: values.outgoing.caFile)
        }
        var feeds: [String: KeySetFeed] = [:]
        for issuer in fetched {
            guard let source = issuer.keys.fetched else { continue }
            let name = issuer.policy.issuer
            let fetcher = KeySetFetcher(issuer: name, source: source, client: client)
            feeds[name] = KeySetFeed(issuer, fetcher, into: verifier, logger: logger)
        }
        return feeds
    }
}

extension HTTPClient {
    /// A client for a part of the configuration; throws why there can be none.
    package static func make(
        _ key: String, _ settings: () throws(HTTPClientLimitError) -> HTTPClientSettings
    ) throws(ConfigurationErrors) -> HTTPClient {
        let settings = try ConfigurationErrors.wrapping(key, settings) { $0.sentence }
        return try ConfigurationErrors.wrapping(key) { () throws(HTTPClientUnavailable) in
            try HTTPClient(settings)
        } sentence: {
            $0.sentence
        }
    }
}

extension JWKSet {
    /// The set of a file, with one key at least that can verify by one of the algorithms.
    fileprivate init(reading path: String, for algorithms: [JWSAlgorithm]) throws(ConfigurationErrors) {
        let bytes = try CallerFile.read(path)
        self = try ConfigurationErrors.wrapping(path) { () throws(JWKSetError) in
            try JWKSet(parsing: bytes)
        } sentence: {
            $0.sentence
        }
        let problem = keys.isEmpty ? "no key of the set can verify" : unfitness(for: algorithms)
        guard let problem else { return }
        throw ConfigurationErrors(sentences: ["\(path): \(problem); expected one at least\(reasons)"])
    }
}

extension Configuration.Issuer.KeySource {
    /// Where fetching begins; nil for a file.
    fileprivate var fetched: KeySetFetcher.Source? {
        switch self {
        case .discovery(let url): .metadata(url)
        case .url(let url): .keys(url)
        case .file: nil
        }
    }
}
