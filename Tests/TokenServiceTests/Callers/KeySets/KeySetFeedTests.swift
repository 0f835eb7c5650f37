@testable import CallerAccess
import Concurrency
import Dispatch
@testable import HTTPClient
@testable import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import HTTPServerSupport

@testable import ServiceConfiguration
@testable import TokenService

/// One issuer's keys, kept up to date from a provider on loopback.
@Suite struct KeySetFeedTests {
    private let provider: StubProvider
    private let verifier: BearerTokenVerifier
    private let feed: KeySetFeed
    private let log = RecordedLog()

    init() throws { try self.init(keeping: 3600) }

    /// Keys are used for this many seconds after they were fetched.
    private init(keeping seconds: Int64) throws {
        provider = try StubProvider(holding: "/keys")
        provider.answer("/keys", try ProviderKey().set())
        let policy = try IssuerPolicy(
            issuer: ProviderKey.issuer, audiences: [ProviderKey.audience], algorithms: [.rs256])
        verifier = try BearerTokenVerifier(issuers: [policy])
        let url = try OutgoingURL("\(provider.url)/keys")
        let fetcher = KeySetFetcher(
            issuer: policy.issuer, algorithms: policy.algorithms, source: .keys(url),
            client: try OutgoingClient(HTTPClientSettings()))
        feed = KeySetFeed(
            Configuration.Issuer(policy: policy, keys: .url(url), keepKeys: seconds), fetcher, into: verifier,
            logger: log.logger)
    }

    /// Whether the feed fetches an unknown key; returns once the fetch has ended.
    private func bringsKey() async -> Bool {
        await withCheckedContinuation { continuation in
            if !feed.mayBringKey({ continuation.resume(returning: true) }) { continuation.resume(returning: false) }
        }
    }

    /// Starts the feed, and returns once its first fetch has ended.
    private func begin() async {
        feed.start()
        #expect(provider.hasArrival())
        await withCheckedContinuation { continuation in
            if !feed.mayBringKey({ continuation.resume() }) { continuation.resume() }
            provider.release()
        }
    }

    private func principal(_ key: ProviderKey) throws -> Principal {
        try verifier.principal(of: try key.token(), at: ServerTime.now().epochSeconds)
    }

    @Test(
        arguments: [
            (nil, 86_400, 900), (3600, 86_400, 3600), (1, 86_400, 60), (-5, 86_400, 60), (3601, 86_400, 3600),
            (3600, 100, 50), (nil, 1, 1),
        ] as [(Int64?, Int64, Int64)])
    func `keys are fetched again after the provider's max age, within bounds`(age: Int64?, keep: Int64, pause: Int64) {
        #expect(
            KeySetFeed.freshness(age: age, keep: keep)
                == FetchSchedule.Freshness(renewal: .seconds(pause), end: .seconds(keep)))
    }

    @Test func `starting twice fetches once, and all waiting requests are released`() throws {
        feed.start()
        #expect(provider.hasArrival())
        feed.start()
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<5 { #expect(feed.mayBringKey { ended.signal() }) }
        #expect(!feed.hasKeys)
        provider.release()
        for _ in 0..<5 { #expect(ended.wait(timeout: Patience.end) == .success) }
        #expect(feed.hasKeys)
        #expect(provider.asked("/keys") == 1)
        #expect(try principal(ProviderKey()).name == "rider-7")
        feed.stop()
    }

    @Test func `an unknown key triggers a fetch, then none for a while`() async throws {
        await begin()
        #expect(throws: BearerTokenRefusal.self) { try principal(ProviderKey(1, keyID: "k2")) }
        provider.answer("/keys", try ProviderKey(1, keyID: "k2").set())
        let began = ContinuousClock.now
        #expect(await bringsKey())
        #expect(try principal(ProviderKey(1, keyID: "k2")).name == "rider-7")
        #expect(throws: BearerTokenRefusal.self) { try principal(ProviderKey()) }
        let bringsOne = await bringsKey()
        // On a slow machine the pause may have passed already.
        let isSoon = began.duration(to: .now) < KeySetFeed.unknownKeyPause
        #expect(bringsOne != isSoon)
        #expect(provider.asked("/keys") == (isSoon ? 2 : 3))
        feed.stop()
    }

    @Test func `unchanged keys keep cached principals`() async throws {
        await begin()
        let token = try ProviderKey().token()
        let now = ServerTime.now().epochSeconds
        _ = try verifier.principal(of: token, at: now)
        #expect(await bringsKey())
        #expect(provider.asked("/keys") == 2)
        #expect(verifier.knownPrincipal(of: BearerToken(token), at: now)?.name == "rider-7")
        feed.stop()
    }

    @Test func `changed keys discard cached principals`() async throws {
        await begin()
        let token = try ProviderKey().token()
        let now = ServerTime.now().epochSeconds
        _ = try verifier.principal(of: token, at: now)
        provider.answer("/keys", try ProviderKey().set() + "\n")
        #expect(await bringsKey())
        #expect(verifier.knownPrincipal(of: BearerToken(token), at: now) == nil)
        #expect(try verifier.principal(of: token, at: now).name == "rider-7")
        feed.stop()
    }

    @Test func `stopping releases all waiting requests and accepts no more`() {
        feed.start()
        #expect(provider.hasArrival())
        let ended = DispatchSemaphore(value: 0)
        #expect(feed.mayBringKey { ended.signal() })
        feed.stop()
        #expect(ended.wait(timeout: Patience.end) == .success)
        #expect(!feed.hasKeys)
        #expect(!feed.mayBringKey {})
    }

    @Test func `requests whose client has gone are not kept while a fetch hangs`() throws {
        feed.start()
        #expect(provider.hasArrival())
        let ended = DispatchSemaphore(value: 0)
        let kept = Atomic(0)
        let released = Atomic(0)
        let mailbox = try Mailbox()
        #expect(feed.mayBringKey { ended.signal() })
        for number in 0..<20_000 {
            let request = LateAnswer(of: UInt64(number), LateAnswer.Life(), by: mailbox)
            let witness = Witness { [feed] in released.add(feed.hasKeys ? 0 : 1, ordering: .relaxed) }
            let isAwaited = feed.mayBringKey(for: request) {
                withExtendedLifetime(witness) { _ = kept.add(1, ordering: .relaxed) }
            }
            #expect(isAwaited)
        }
        // Each of them asked the feed while it was released.
        #expect(released.load(ordering: .relaxed) >= 20_000 - SweepSchedule.least)
        #expect(feed.mayBringKey { ended.signal() })
        feed.stop()
        for _ in 0..<2 { #expect(ended.wait(timeout: Patience.end) == .success) }
        #expect(kept.load(ordering: .relaxed) <= SweepSchedule.least)
    }

    /// Calls a closure when it is released.
    private final class Witness: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    @Test func `a provider failure is logged, keeps the keys and releases waiting requests`() async throws {
        await begin()
        provider.answer("/keys", "canary", status: .serviceUnavailable)
        #expect(await bringsKey())
        #expect(feed.hasKeys)
        #expect(try principal(ProviderKey()).name == "rider-7")
        feed.stop()
        let text = log.text
        #expect(text.contains("notice keys were fetched added=k1 issuer=https://id.example keys=1\n"))
        #expect(text.contains("answered with the status 503; expected 200"))
        #expect(!text.contains("canary"))
    }

    @Test(arguments: [#"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}"#])
    func `a set without a usable key ends all keys at once`(set: String) async throws {
        await begin()
        #expect(try principal(ProviderKey()).name == "rider-7")
        provider.answer("/keys", set)
        #expect(await bringsKey())
        #expect(!feed.hasKeys)
        #expect(throws: (any Error).self) { try principal(ProviderKey()) }
        #expect(feed.outage?.contains("the issuer's key set has no key that can verify") == true)
        #expect(log.text.contains("error keys were withdrawn issuer=https://id.example keys=0 reason="))
        #expect(log.text.contains("removed=k1\n"))
        feed.fetchAgain()
        provider.answer("/keys", try ProviderKey().set())
        try Patience.wait(for: "the keys") { feed.hasKeys }
        #expect(try principal(ProviderKey()).name == "rider-7")
        feed.stop()
    }

    @Test func `the last fetch failure is reported until a fetch succeeds`() async throws {
        #expect(feed.outage == "issuers: the keys of https://id.example could not be fetched")
        provider.answer("/keys", "canary", status: .serviceUnavailable)
        await begin()
        let reason = "\(provider.url.dropFirst("http://".count)) answered with the status 503; expected 200"
        #expect(
            feed.outage
                == "issuers: the keys of https://id.example could not be fetched from \(provider.url)/keys: \(reason)")
        provider.answer("/keys", try ProviderKey().set())
        // A fetch that was already under way may have received the previous answer.
        while await bringsKey(), !feed.hasKeys {}
        #expect(feed.outage == nil)
        feed.stop()
    }

    @Test func `keys unusable for the issuer's algorithms are an outage`() async throws {
        let point = #""kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU""#
        provider.answer("/keys", "{\(point),\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}")
        await begin()
        feed.stop()
        #expect(!feed.hasKeys && feed.outage != nil)
        #expect(log.text.contains("the issuer's key set has no key for RS256; expected at least one"))
    }

    @Test func `a past successful fetch is remembered after the keys expire`() async throws {
        let test = try KeySetFeedTests(keeping: 1)
        #expect(!test.feed.hasFetched)
        await test.begin()
        #expect(test.feed.hasFetched)
        test.provider.answer("/keys", "", status: .serviceUnavailable)
        // The keys may have expired before the outage too, and been fetched again.
        try Patience.wait(for: "keys that expire in an outage") {
            test.log.text.contains("cached keys expired issuer=") && !test.feed.hasKeys
        }
        #expect(test.feed.hasFetched)
        test.feed.stop()
    }
}
