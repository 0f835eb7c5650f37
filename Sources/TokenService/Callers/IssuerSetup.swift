import CallerAccess
import FleetEngineToken
import HTTPClient
import Logging
import OpenSSLCrypto
import ServiceConfiguration
import SystemFiles

/// The identity providers of a configuration: the verifier of their tokens, and the feeds of its keys.
package struct IssuerSetup: Sendable {
    package let verifier: BearerTokenVerifier
    /// Fetch keys, by the issuers' names; issuers whose keys are in files have none.
    package let feeds: [String: KeySetFeed]
    /// The keys in files, by the issuers' names.
    private let fileKeys: [String: JWKSet]
    private let issuers: [Configuration.Issuer]
    private let egress: Egress

    /// Throws the errors of key files, or why fetching is impossible. Unchanged issuers keep their feeds and keys, so that an
    /// unreachable provider does not block a change of another.
    package init(
        _ values: Configuration, by egress: Egress, after previous: IssuerSetup?,
        logger: Logger
    ) throws(ConfigurationErrors) {
        (issuers, self.egress) = (values.issuers, egress)
        let fileKeys = try Self.fileKeys(of: issuers)
        let unchanged = previous?.egress == egress ? previous?.unchanged(values.issuers) ?? [] : []
        let verifier = try ConfigurationErrors.wrapping("issuers") { () throws(IssuerPolicyError) in
            try BearerTokenVerifier(
                issuers: values.issuers.map(\.policy), keeping: unchanged, of: previous?.verifier,
                claims: Set(values.rules.flatMap(\.claimNames)))
        } sentence: {
            $0.sentence
        }
        for (issuer, keys) in fileKeys { verifier.keyReplacement(of: issuer)(keys) }
        self.fileKeys = Dictionary(fileKeys.map { ($0.issuer, $0.keys) }) { $1 }
        self.verifier = verifier
        let continued = previous?.feeds.filter { unchanged.contains($0.key) } ?? [:]
        let added = issuers.filter { continued[$0.policy.issuer] == nil }
        feeds = try Self.feeds(of: added, into: verifier, logger, egress).merging(continued) { $1 }
    }

    /// The names of unchanged issuers whose keys are fetched. Keys in files are read again with each configuration.
    private func unchanged(_ issuers: [Configuration.Issuer]) -> Set<String> {
        Set(issuers.filter { $0.keys.fetched != nil && self.issuers.contains($0) }.map(\.policy.issuer))
    }

    /// The keys in the files of these issuers; throws what is wrong with any of the files.
    static func fileKeys(
        of issuers: [Configuration.Issuer]
    ) throws(ConfigurationErrors) -> [(issuer: String, keys: JWKSet)] {
        var errors = ConfigurationErrors(sentences: [])
        var fileKeys: [(issuer: String, keys: JWKSet)] = []
        for issuer in issuers {
            if let path = issuer.keysTokenFile {
                do throws(KeySetFetchError) {
                    _ = try KeysToken.field(path)
                } catch {
                    errors.note("issuers: keys_token_file: \(error.sentence)")
                }
            }
            guard case .file(let path) = issuer.keys else { continue }
            let keys = errors.noting { () throws(ConfigurationErrors) in
                try JWKSet(reading: path, for: issuer.policy)
            }
            if let keys { fileKeys.append((issuer.policy.issuer, keys)) }
        }
        guard errors.sentences.isEmpty else { throw errors }
        return fileKeys
    }

    /// Starts the feeds that have not started.
    func start() {
        for feed in feeds.values { feed.start() }
    }

    /// Waits until each issuer has keys or its fetch has failed. Feeds that continue are not awaited, so that an unreachable
    /// provider does not block a change of rules.
    func waitForKeys(besides previous: IssuerSetup?) throws(ConfigurationErrors) {
        for (issuer, feed) in feeds where previous?.feeds[issuer] !== feed {
            feed.waitForKeys()
            if let outage = feed.outage { throw ConfigurationErrors(sentences: [outage]) }
        }
    }

    /// Waits until each issuer has keys or its fetch has failed; the reasons of those without keys, a sentence each. Blocks.
    package func outagesAfterFetching() -> [String] {
        for feed in feeds.values { feed.waitForKeys() }
        return sortedFeeds.compactMap(\.outage)
    }

    /// How the keys of each issuer came, a sentence each.
    package var ways: [String] {
        sortedFeeds.compactMap { feed in feed.way.map { "the keys of \(feed.issuer) \($0)" } }
    }

    /// Which keys in files are skipped, and why: a sentence for each issuer.
    var fileWarnings: [String] { Self.warnings(fileKeys.compactMapValues(\.shortcomings)) }

    /// The same of keys that were fetched.
    package var fetchedWarnings: [String] { Self.warnings(feeds.compactMapValues(\.shortcomings)) }

    private static func warnings(_ shortcomings: [String: String]) -> [String] {
        shortcomings.sorted { $0.key < $1.key }.map { "issuers: \($0.key): \($0.value)" }
    }

    /// Logs which keys in files came and went since the previous setup.
    func logKeys(after previous: IssuerSetup?, to logger: Logger) {
        for (issuer, keys) in fileKeys.sorted(by: { $0.key < $1.key }) {
            let metadata = keys.changes(since: previous?.fileKeys[issuer]?.keys ?? [], of: issuer)
            if metadata["added"] == nil, metadata["removed"] == nil {
                logger.notice("keys were read again and are the same", metadata: metadata)
            } else {
                logger.notice("keys were read", metadata: metadata)
            }
        }
    }

    /// Stops the feeds that the next setup does not continue.
    func retire(for next: IssuerSetup?) {
        for (issuer, feed) in feeds where next?.feeds[issuer] !== feed { feed.stop() }
    }

    /// By the issuers' names.
    package var sortedFeeds: [KeySetFeed] { feeds.values.sorted { $0.issuer < $1.issuer } }

    private static func feeds(
        of issuers: [Configuration.Issuer], into verifier: BearerTokenVerifier, _ logger: Logger, _ egress: Egress
    ) throws(ConfigurationErrors) -> [String: KeySetFeed] {
        let fetched = issuers.filter { $0.keys.fetched != nil }
        // libcurl is loaded only if something is fetched.
        guard !fetched.isEmpty else { return [:] }
        let client = try OutgoingClient.make("issuers", HTTPClientSettings(egress: egress))
        var feeds: [String: KeySetFeed] = [:]
        for issuer in fetched {
            guard let source = issuer.keys.fetched else { continue }
            let name = issuer.policy.issuer
            let fetcher = KeySetFetcher(
                issuer: name, algorithms: issuer.policy.algorithms, use: issuer.policy.keyUse, source: source,
                tokenFile: issuer.keysTokenFile, client: client)
            feeds[name] = KeySetFeed(issuer, fetcher, into: verifier, logger: logger)
        }
        return feeds
    }
}

extension OutgoingClient {
    /// A client for a part of the configuration.
    package static func make(
        _ key: String, comparing clocks: ClockWatch = .shared, _ settings: HTTPClientSettings
    ) throws(ConfigurationErrors) -> OutgoingClient {
        try ConfigurationErrors.wrapping(key) { () throws(HTTPClientUnavailable) in
            try OutgoingClient(settings, comparing: clocks)
        } sentence: {
            $0.sentence
        }
    }
}

extension Configuration.Outgoing {
    /// How requests leave. Throws if a file cannot be read, others can write it, or it holds something else.
    package func egress() throws(ConfigurationErrors) -> Egress {
        var proxy =
            switch self.proxy {
            case .url(let proxy): proxy
            case .file(let path): try Self.proxy(in: path)
            case nil: nil as OutgoingProxy?
            }
        proxy?.exceptions = noProxy
        return Egress(trusting: try authorities(), through: proxy)
    }

    private static func proxy(in path: String) throws(ConfigurationErrors) -> OutgoingProxy {
        try ConfigurationErrors.wrapping("outgoing.proxy") { () throws(TrustedFileError) in
            guard let proxy = OutgoingProxy(try TrustedFile(path: path, for: .sent("a proxy")).line) else {
                throw TrustedFileError(predicate: "names no proxy; expected \(OutgoingProxy.expectation)")
            }
            return proxy
        } sentence: {
            "\(CredentialCopies.own.readable(path)) \($0.predicate)"
        }
    }

    /// The authorities in `ca_file`; nil without one.
    private func authorities() throws(ConfigurationErrors) -> TrustedAuthorities? {
        guard let path = caFile else { return nil }
        return try ConfigurationErrors.wrapping("outgoing.ca_file") { () throws(TrustedFileError) in
            let pem = try TrustedFile(path: path, for: .authorities).content
            guard CertificateList.isUsable(pem) else {
                throw TrustedFileError(
                    predicate: "has no certificate, or one that cannot be read; expected those of authorities in PEM")
            }
            return TrustedAuthorities(pem)
        } sentence: {
            "\(CredentialCopies.own.readable(path)) \($0.predicate)"
        }
    }
}

extension JWKSet {
    /// The set in a file; it must have at least one key for one of the algorithms.
    fileprivate init(reading path: String, for policy: IssuerPolicy) throws(ConfigurationErrors) {
        let bytes = try CallerFile.read(path)
        let path = CredentialCopies.own.readable(path)
        self = try ConfigurationErrors.wrapping(path) { () throws(JWKSetError) in
            try JWKSet(parsing: bytes, use: policy.keyUse)
        } sentence: {
            $0.sentence
        }
        guard let problem = unfitness(for: policy.algorithms) else { return }
        throw ConfigurationErrors(sentences: ["\(path): the set \(problem); expected at least one\(reasons)"])
    }
}

extension Configuration.Issuer.KeySource {
    /// Nil for a file, and without keys.
    fileprivate var fetched: KeySetFetcher.Source? {
        switch self {
        case .discovery(let url): .metadata(url)
        case .url(let url): .keys(url)
        case .file, .none: nil
        }
    }
}
