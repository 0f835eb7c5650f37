import Logging
import TestSupport
import Testing

@testable import HTTPServerSupport

@testable import CallerAccess
@testable import ServiceConfiguration
@testable import TokenProvider
@testable import TokenService

/// Keys and rules that change while requests are served.
@Suite struct CallerReloaderTests {
    private let folder: Scratch
    private let log = LogPipe()
    private let logger: Logger
    private let key: APIKey
    /// The text of the current configuration.
    private let yaml = Locked("")

    init() throws {
        folder = try Scratch()
        let handler = DaemonLogHandler(Configuration.Log(), sink: log.sink)
        logger = Logger(label: "test") { _ in handler }
        key = try #require(APIKey(random: [UInt8](repeating: 7, count: 32)))
        try writeKeys(named: "dispatch")
    }

    private func writeKeys(named name: String) throws {
        _ = try folder.write("keys", Array("\(try APIKeyEntry(name: name, key: key).line)\n".utf8))
    }

    /// Sets a configuration with these rules and issuers.
    private func setRules(_ rules: String, issuers: String = "") {
        yaml.withLock { $0 = "\(issuers)api_keys: {file: '\(folder.path("keys"))'}\nrules: \(rules)" }
    }

    private func begin() throws -> (current: Swappable<ServingState>, reloader: Reloader) {
        let loaded = try Self.load(yaml.withLock { $0 })
        let parts = ServingParts(loaded.configuration, logger: logger)
        let state = try ServingState(loaded, parts, logger: logger)
        state.start()
        let current = Swappable(state)
        let reloader = Reloader(
            current, ReloadedParts(started: loaded.configuration), logger: logger
        ) { [yaml] _ throws(ConfigurationErrors) in
            do {
                return try Self.load(yaml.withLock { $0 })
            } catch {
                throw ConfigurationErrors(sentences: ["\(error)"])
            }
        }
        return (current, reloader)
    }

    /// Loads a configuration that has no key to sign tokens.
    private static func load(_ yaml: String) throws -> LoadedConfiguration {
        let configuration = try callerValues(yaml)
        return LoadedConfiguration(configuration: configuration, signers: Signers(trying: configuration))
    }

    /// The current decision about the API key and a token of the kind server.
    private func decision(_ current: Swappable<ServingState>) -> String {
        Explanation(.server, by: .apiKey(Array(key.text.utf8)), current.now.callers.gate).decision
    }

    private func decided(_ current: Swappable<ServingState>, caller: String = "\"dispatch\" (api_key)", because: String)
        -> Bool
    {
        decision(current).hasSuffix("\ncaller:  \(caller)\nbecause: \(because)")
    }

    @Test func `a reload that drops cached tokens releases the previous state`() throws {
        setRules("[{name: a, kinds: server}]")
        let (current, reloader) = try begin()
        reloader.reload()
        _ = awaited("was reloaded")
        weak let route = current.now.router.token
        weak let mint = current.now.retained.remoteMint
        try #require(route != nil && mint != nil)
        yaml.withLock { $0 += "\ntoken: {lifetime: 30m}" }
        reloader.reload()
        _ = awaited("was reloaded")
        #expect(current.now.configuration.token.lifetime == 1800)
        #expect(route == nil && mint == nil)
        current.now.retire(for: nil)
    }

    @Test func `new rules apply to later requests only`() throws {
        setRules("[{name: a, kinds: server}]")
        let (current, reloader) = try begin()
        let previous = current.now.callers.gate
        #expect(decided(current, because: "the rule a allows it"))
        setRules("[{name: b, kinds: delivery_server}]")
        reloader.reload()
        #expect(log.readSome().contains("the configuration was reloaded"))
        #expect(decided(current, because: "no rule names the kind server"))
        // A request that began before the reload keeps the rules it began with.
        #expect(Explanation(.server, by: .apiKey(Array(key.text.utf8)), previous).isAllowed)
        current.now.retire(for: nil)
    }

    @Test func `a key removed from the file is no longer accepted`() throws {
        setRules("[{name: a, kinds: server}]")
        let (current, reloader) = try begin()
        _ = try folder.write("keys", [])
        reloader.reload()
        let warning = "reason=\"api_keys.file: \(folder.path("keys")) has no key that is valid now"
        #expect(awaited("was reloaded").contains(warning))
        #expect(
            decided(
                current, caller: "not authenticated", because: "the API key is not one of the configured keys"))
        current.now.retire(for: nil)
    }

    @Test func `a broken file keeps the previous configuration and logs each reason`() throws {
        setRules("[{name: a, kinds: server}]")
        let (current, reloader) = try begin()
        setRules("[{name: b, kinds: nonsense}]")
        reloader.reload()
        let first = log.readSome()
        #expect(first.contains("error not reloaded; the previous configuration stays reason="))
        #expect(first.contains("rules[0].kinds"))
        #expect(decided(current, because: "the rule a allows it"))
        setRules("[{name: b, kinds: server}]")
        _ = try folder.write("keys", Array("one\ntwo\n".utf8))
        reloader.reload()
        let second = awaited("line 2: the key has no digest").split(separator: "\n")
        #expect(second.count == 2)
        #expect(second.allSatisfy { $0.contains("not reloaded; the previous configuration stays") })
        #expect(decided(current, because: "the rule a allows it"))
        current.now.retire(for: nil)
    }

    @Test func `a reload fails for an unreachable new issuer, not an existing one`() throws {
        let provider = try StubProvider()
        let issuers =
            "issuers: [{issuer: '\(provider.url)', audiences: \(ProviderKey.audience), algorithms: RS256}]\n"
        setRules("[{name: a, kinds: server}]")
        let (current, reloader) = try begin()
        setRules("[{name: b, kinds: server}]", issuers: issuers)
        reloader.reload()
        let text = awaited("not reloaded")
        let reason = "\(provider.url.dropFirst("http://".count)) answered with the status 404; expected 200"
        #expect(
            text.contains(
                "issuers: the keys of \(provider.url) could not be fetched from \(provider.url)/.well-known/openid-configuration: \(reason)"
            ))
        #expect(decided(current, because: "the rule a allows it"))
        provider.answerMetadata(#""issuer":"\#(provider.url)","jwks_uri":"\#(provider.url)/keys""#)
        provider.answer("/keys", try ProviderKey().set())
        reloader.reload()
        _ = awaited("was reloaded")
        #expect(decided(current, because: "the rule b allows it"))
        let token = try ProviderKey().token(of: provider.url)
        #expect(Explanation(.server, by: .token(token), current.now.callers.gate).isAllowed)
        provider.answer("/keys", "", status: .serviceUnavailable)
        setRules("[{name: c, kinds: server, api_keys: dispatch}]", issuers: issuers)
        reloader.reload()
        let reloaded = awaited("was reloaded")
        #expect(decided(current, because: "the rule c allows it"))
        // The keys are fetched again, which the reload does not wait for.
        let failure = "keys could not be fetched"
        if !reloaded.contains(failure) { _ = awaited(failure) }
        #expect(provider.asked("/keys") == 2)
        // Its tokens still authenticate callers, though no rule allows them anything now.
        #expect(
            Explanation(.server, by: .token(token), current.now.callers.gate).decision
                .contains("\"rider-7\" (jwt \(provider.url))"))
        current.now.retire(for: nil)
    }

    @Test func `an issuer unreachable from the start does not prevent rule changes`() throws {
        let provider = try StubProvider()
        let issuers =
            "issuers: [{issuer: '\(provider.url)', audiences: \(ProviderKey.audience), algorithms: RS256}]\n"
        setRules("[{name: a, kinds: server}]", issuers: issuers)
        let (current, reloader) = try begin()
        _ = try folder.write("keys", [])
        setRules("[{name: b, kinds: server}]", issuers: issuers)
        reloader.reload()
        _ = awaited("was reloaded")
        #expect(!Explanation(.server, by: .apiKey(Array(key.text.utf8)), current.now.callers.gate).isAllowed)
        current.now.retire(for: nil)
    }

    @Test func `a failed reload does not replace keys loaded from a file`() throws {
        let provider = try StubProvider()
        func issuers(_ more: String = "") -> String {
            let file = folder.path("set")
            return "issuers: [{issuer: '\(ProviderKey.issuer)', audiences: \(ProviderKey.audience), algorithms: RS256, "
                + "keys: '\(file)'}\(more)]\n"
        }
        _ = try folder.write("set", Array(try ProviderKey().set().utf8))
        setRules("[{name: a, kinds: server}]", issuers: issuers())
        let (current, reloader) = try begin()
        let (previous, later) = (try ProviderKey().token(), try ProviderKey(1, keyID: "k2").token())
        func allowed(_ token: [UInt8]) -> Bool {
            Explanation(.server, by: .token(token), current.now.callers.gate).isAllowed
        }
        _ = try folder.write("set", Array(try ProviderKey(1, keyID: "k2").set().utf8))
        let other = ", {issuer: '\(provider.url)', audiences: \(ProviderKey.audience), algorithms: RS256}"
        setRules("[{name: a, kinds: server}]", issuers: issuers(other))
        reloader.reload()
        _ = awaited("not reloaded")
        #expect((allowed(previous), allowed(later)) == (true, false))
        setRules("[{name: a, kinds: server}]", issuers: issuers())
        reloader.reload()
        _ = awaited("was reloaded")
        #expect((allowed(previous), allowed(later)) == (false, true))
        current.now.retire(for: nil)
    }

    /// Reads the log until it contains the words.
    private func awaited(_ words: String) -> String {
        var text = ""
        while !text.contains(words) {
            let more = log.readSome()
            text += more
            if more.isEmpty { break }
        }
        return text
    }
}
