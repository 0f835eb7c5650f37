import Concurrency
import Dispatch
import GoogleCredentials
import HTTPClient
import Logging
import ServiceConfiguration

/// Asks now and then whether Google publishes the keys that sign here: Fleet Engine refuses tokens of any other. It only asks
/// while the state that made it is used, and says nothing if Google is out of reach.
package final class KeyPublication: Sendable {
    /// Seconds until the first question, so that a program that ends at once asks nothing.
    private static let firstPause: Int64 = 60

    private let probes: [(account: String, keyIDs: Set<String>, probe: PublishedKeysProbe)]
    private let interval: Int64
    private let authorities: TrustedAuthorities?
    private let logger: Logger
    private let queue = DispatchQueue(label: "key-publication")
    /// By account, as its last answer says.
    private let found = Guarded<[String: [ProbeFailure]]>([:])

    /// Nil if there is nothing to ask.
    package init?(_ signers: Signers, _ values: Configuration, logger: Logger) throws(ConfigurationErrors) {
        guard values.google.keysInterval > 0 else { return nil }
        let base = try GoogleEndpoints(values.google).keys
        probes = Dictionary(grouping: signers.distinct, by: \.account).compactMap { account, signers in
            guard let probe = try? PublishedKeysProbe(account: account, base: base) else { return nil }
            return (account, Set(signers.map(\.keyID)), probe)
        }
        (interval, authorities) = (values.google.keysInterval, try values.outgoing.authorities())
        self.logger = logger
        guard !probes.isEmpty else { return nil }
    }

    /// The keys that Google does not publish, in the order of their accounts.
    package var unpublished: [ProbeFailure] {
        found.withLock { $0.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    package func start() { wait(min(Self.firstPause, interval)) }

    private func wait(_ seconds: Int64) {
        queue.asyncAfter(deadline: .now() + .seconds(Int(seconds))) { [weak self] in self?.ask() }
    }

    private func ask() {
        let settings = { [authorities] () throws(HTTPClientLimitError) in
            try HTTPClientSettings(authorities: authorities)
        }
        // Nothing is asked without libcurl, which nothing else here may need. The client ends after the answer.
        guard let client = try? OutgoingClient.make("google", settings) else { return }
        Task { [weak self, probes] in
            for (account, keyIDs, probe) in probes {
                switch await probe.fetch(by: client.answer) {
                case .keys(let keys):
                    let missing = keyIDs.subtracting(keys.compactMap(\.keyID)).sorted().map { keyID in
                        ProbeFailure(
                            "Google does not publish the key \(keyID) of \(account)",
                            PublishedKeysProbe.unpublished(account, isLocal: true))
                    }
                    self?.note(missing, of: account)
                case .missingAccount(let failure): self?.note([failure], of: account)
                case .failed: break
                }
            }
            if let self { wait(interval) }
        }
    }

    private func note(_ failures: [ProbeFailure], of account: String) {
        let known = found.withLock { found in
            defer { found[account] = failures }
            return found[account] ?? []
        }
        for failure in failures where !known.contains(failure) {
            logger.warning(
                "Google does not publish a key that signs tokens",
                metadata: ["account": "\(account)", "reason": "\(failure.detail)"])
        }
    }
}
