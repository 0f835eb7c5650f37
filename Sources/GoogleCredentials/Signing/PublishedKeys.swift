import Concurrency
import FleetEngineToken
import HTTPClient
import OpenSSLCrypto
import StrictJSON

/// The public keys that Google publishes for a service account, `/service_accounts/v1/jwk/EMAIL`: fetched when they are
/// needed, renewed when they are old or a new key appears, kept through outages, and dropped once Google publishes none.
package final class PublishedKeys: Sendable {
    /// Whether the account exists, as far as its keys tell.
    package enum Existence: Hashable, Sendable {
        case exists, isMissing, unknown
    }

    /// How long keys are fresh if the answer does not say.
    static let usualAge = Duration.seconds(3600)
    /// The range to which the answer's own time is limited: a key that Google withdrew is not used for longer.
    static let ages = Duration.seconds(60)...Duration.seconds(3600)

    /// The service account's e-mail address.
    package let account: String

    private let kept: RefreshedValue<FetchedKeys, PublishedKeysError>

    /// The account's keys at this base URL, usually `https://www.googleapis.com`. Nothing is fetched yet. `report` is called
    /// with the reason if Google no longer publishes keys that it did; it must not block.
    package init(
        account: String, base: OutgoingURL, send: @escaping HTTPSend, clock: SigningClock,
        report: @escaping @Sendable (_ reason: String) -> Void = { _ in }
    ) throws(RemoteSigningError) {
        let fetcher = try PublishedKeysFetcher(account: ServiceAccountName(account), base: base)
        self.account = account
        // A new key may be published a moment after it signs, so the first fetches for an unknown one follow soon.
        let schedule = FetchSchedule(longestPause: .seconds(60), demandPauses: .seconds(1)...(.seconds(60)))
        kept = RefreshedValue(schedule, clock: clock.monotonic, on: clock.executor) { () throws(PublishedKeysError) in
            try await fetcher.fetch(by: send, clock.epochSeconds)
        } judge: { keys, previous in
            let age = min(max(keys.age ?? Self.usualAge, Self.ages.lowerBound), Self.ages.upperBound)
            let isNew = keys.keys.contains { key in
                !(previous?.keys(key.keyID ?? "").contains { $0.isSame(as: key.key) } ?? false)
            }
            return (FetchSchedule.Freshness(renewal: age), isNew)
        } isWithdrawn: { failure in
            if failure.withdrawsKeys { report(failure.sentence) }
            return failure.withdrawsKeys
        }
    }

    /// The keys as a JWK set (RFC 7517 section 5), with only what verifying needs; nil before the first fetch has
    /// succeeded. Begins a fetch if the keys are old or missing.
    package var keySet: [UInt8]? {
        refresh()
        return kept.known.value?.set
    }

    /// How many seconds ago the keys were fetched, for how many they are still fresh (0: they are fetched again when they
    /// are next needed), and why the last fetch failed; each nil if there is none. Fetches nothing.
    package var freshness: (age: Int64?, left: Int64?, failure: String?) {
        let freshness = kept.freshness
        return (
            freshness?.age.components.seconds, freshness?.renewal.components.seconds, kept.known.failure?.sentence
        )
    }

    /// Begins a fetch if the keys are old or missing, and does not wait for it.
    package func refresh() { _ = kept.current }

    /// Makes sure that there are keys.
    package func load() async throws(RemoteSigningError) {
        guard kept.known.value == nil else { return refresh() }
        let refusal = await kept.demand { $0 != nil }
        let (keys, failure) = kept.known
        guard keys == nil else { return }
        throw error(failure?.sentence ?? "not fetched yet", refusal, failure?.remedy(account) ?? .later)
    }

    /// Whether the account exists.
    package func existence() async -> Existence {
        try? await load()
        let (keys, failure) = kept.known
        return failure?.isMissingAccount == true ? .isMissing : keys == nil ? .unknown : .exists
    }

    /// The keys with this id that were fetched, in an empty list if there are none. Old keys still verify; new ones are
    /// fetched in the background.
    func knownKeys(_ keyID: String) -> [VerificationKey] {
        let known = kept.known.value?.keys(keyID) ?? []
        if !known.isEmpty { refresh() }
        return known
    }

    /// The keys with this id, at least one. Waits for the pending fetch if it is unknown.
    func keys(_ keyID: String) async throws(RemoteSigningError) -> [VerificationKey] {
        let known = knownKeys(keyID)
        guard known.isEmpty else { return known }
        let refusal = await kept.demand { $0?.keys(keyID).isEmpty == false }
        let (keys, failure) = kept.known
        if let fetched = keys?.keys(keyID), !fetched.isEmpty { return fetched }
        let problem = failure?.sentence ?? "they have no key \(ReceivedText.quoted(keyID))"
        let remedy = failure?.remedy(account) ?? PublishedKeysProbe.unpublished(account, isLocal: false)
        throw error(problem, refusal, remedy)
    }

    private func error(_ problem: String, _ refusal: Duration?, _ remedy: Remedy) -> RemoteSigningError {
        RemoteSigningError(
            reason: "the published keys of \(account) do not verify a token: \(problem)",
            retryAfter: refusal?.wholeSeconds ?? 1, remedy)
    }
}
