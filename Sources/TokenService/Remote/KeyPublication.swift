import Concurrency
import Dispatch
import GoogleCredentials
import HTTPClient
import Logging
import OpenSSLCrypto
import ServiceConfiguration

/// Asks now and then whether Google publishes the keys that sign here: Fleet Engine refuses tokens of any other. It only asks
/// while the state that made it is used. If Google is out of reach it says nothing and asks again soon, then less and less often.
package final class KeyPublication: Sendable {
    /// Seconds until the first question, so that a program that ends at once asks nothing.
    private static let firstPause: Int64 = 60

    /// Of an account, with the public halves of its keys here.
    private typealias Question = (
        account: String, keys: [(id: String, half: VerificationKey)], probe: PublishedKeysProbe
    )

    private let questions: [Question]
    private let interval: Int64
    private let egress: Egress
    private let logger: Logger
    private let queue = DispatchQueue(label: "key-publication")
    /// By account, as its last answer says.
    private let found: Guarded<[String: [ProbeFailure]]>

    /// Nil if there is nothing to ask. What is known of accounts with the previous keys is kept.
    package init?(
        _ signers: Signers, _ values: Configuration, after previous: KeyPublication?, logger: Logger
    ) throws(ConfigurationErrors) {
        guard values.google.keysInterval > 0 else { return nil }
        let base = try GoogleEndpoints(values.google).keys
        questions = Dictionary(grouping: signers.distinct, by: \.account).compactMap { account, signers in
            guard let probe = try? PublishedKeysProbe(account: account, base: base) else { return nil }
            return (account, signers.map { ($0.keyID, $0.publicKey) }, probe)
        }
        let known = questions.filter { new in
            previous?.questions.contains { old in
                old.account == new.account
                    && old.keys.elementsEqual(new.keys) { $0.id == $1.id && $0.half.isSame(as: $1.half) }
            } ?? false
        }
        let accounts = Set(known.map(\.account))
        found = Guarded((previous?.found.withLock { $0 } ?? [:]).filter { accounts.contains($0.key) })
        (interval, egress) = (values.google.keysInterval, try values.outgoing.egress())
        self.logger = logger
        guard !questions.isEmpty else { return nil }
    }

    /// The keys that Google does not publish, in the order of their accounts.
    package var unpublished: [ProbeFailure] {
        found.withLock { $0.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    package func start() { ask(after: Self.firstPause) }

    private func ask(again failures: Int) {
        ask(after: failures == 0 ? interval : Self.firstPause << min(failures, 16), failures)
    }

    private func ask(after seconds: Int64, _ failures: Int = 0) {
        let pause = DispatchTimeInterval.seconds(Int(min(seconds, interval)))
        queue.asyncAfter(deadline: .now() + pause) { [weak self, questions, egress] in
            // Nothing else here may need libcurl. The client ends after the answers.
            let client = try? OutgoingClient.make("google", HTTPClientSettings(egress: egress))
            Task {
                var isAnswered = client != nil
                for question in questions {
                    guard let client else { break }
                    let findings = Self.findings(await question.probe.fetch(by: client.answer), question)
                    if let findings { self?.note(findings, of: question.account) } else { isAnswered = false }
                }
                self?.ask(again: isAnswered ? 0 : failures + 1)
            }
        }
    }

    /// What is wrong by an answer; nil if it does not say.
    private static func findings(_ answer: PublishedKeysProbe.Answer, _ question: Question) -> [ProbeFailure]? {
        switch answer {
        case .keys(let published):
            let missing = question.keys.filter { own in
                !published.contains { $0.keyID == own.id && $0.key.isSame(as: own.half) }
            }
            return missing.map(\.id).sorted().map { keyID in
                ProbeFailure(
                    "Google does not publish the key \(keyID) of \(question.account)",
                    PublishedKeysProbe.unpublished(question.account, isLocal: true))
            }
        case .missingAccount(let failure): return [failure]
        case .failed: return nil
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
