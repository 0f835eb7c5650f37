import Concurrency
import Dispatch
import FleetEngineToken
import OpenSSLCrypto
import OpenSSLSigner
import Synchronization

/// The keys of one configuration in a process of their own, which ends with this object. If it ends before, another is
/// started with the same keys.
package final class SeparateKeys: Sendable {
    private static let firstPause = 0.1
    private static let longestPause = 10.0
    /// A process that ends after so many nanoseconds did not fail to start.
    private static let longRun: UInt64 = 60_000_000_000

    private struct State {
        /// Nil while no process signs.
        var channels: KeyChannels?
        var began = MonotonicTime.now()
        /// Seconds until the next try.
        var pause = SeparateKeys.firstPause
        /// Why the last try failed.
        var reason: String?
        /// The same keys in the process of a later reload.
        var successor: SeparateKeys?
        /// Whether only requests from before a reload are signed.
        var isRetired = false
    }

    package let report: KeyReport
    private let process: SigningProcess
    /// The credentials of the terms that are used.
    private let places: [Int]
    private let state: Guarded<State>
    private let queue = DispatchQueue(label: "separate keys")

    /// Has a new process load the keys, of which those at these places in the terms are used. Throws if there is none; keys that
    /// cannot be used are in the report.
    package init(_ places: [Int], by process: SigningProcess) throws(SigningProcessError) {
        let (report, channels) = try process.open()
        (self.places, self.process, self.report) = (places, process, report)
        state = Guarded(State(channels: channels))
        watch(channels)
    }

    deinit { state.withLock { $0.channels }?.end() }

    /// Ends the process once the next keys sign, if they are the same. Requests from before the reload are signed by those.
    /// Another key signs for its last requests until its process's place is needed: a reload must not wait for requests.
    package func retire(for next: SeparateKeys) {
        let isSame = isSame(next.report)
        let channels = state.withLock { state in
            state.isRetired = true
            guard isSame else { return state.channels }
            defer { state.channels = nil }
            state.successor = next
            return state.channels
        }
        if isSame { channels?.end() } else { channels.map(process.endWhenNeeded) }
    }

    /// Whether the keys that are used are the same in another process.
    private func isSame(_ other: KeyReport) -> Bool { places.allSatisfy { other.entries[$0] == report.entries[$0] } }

    /// The key of the credentials at this place in the terms, as a signer.
    package func signer(at place: Int) throws(KeyError) -> RS256Signer? {
        guard case .key(let key) = report.entries[place] else { return nil }
        let publicKey: VerificationKey
        do { publicKey = try VerificationKey(rsaPEM: Array(key.publicKey.utf8)) } catch {
            throw .unavailable(reason: error.sentence)
        }
        return try RS256Signer(
            account: key.account, keyID: key.keyID, heldKey: SeparateKey(self, place, publicKey))
    }

    /// How often processes of the daemon were started after one had ended.
    package var restartCount: Int { process.restartCount }

    /// Why nothing is signed now; nil if it is.
    package var outage: String? {
        state.withLock { state in
            state.channels == nil ? state.reason ?? "the signing process ended and is started again" : nil
        }
    }

    /// The signatures, nil for each that was not made; nil if no process answers.
    func sign(_ messages: [SigningRequest.Message]) -> SigningAnswer? {
        guard messages.count < 2 || SigningRequest(messages).length <= SigningRequest.maxBytes else {
            // Batches of tasks may be so long that few fit into one packet.
            let (first, second) = (messages.prefix(messages.count / 2), messages.dropFirst(messages.count / 2))
            guard let one = sign(Array(first)), let other = sign(Array(second)) else { return nil }
            return SigningAnswer(one.signatures + other.signatures, fault: one.fault ?? other.fault)
        }
        let request = SigningRequest(messages)
        // A signature that the end of a retired process interrupts is made by its successor.
        return state.withLock { $0.channels }?.exchange(request) ?? state.withLock { $0.successor }?.sign(messages)
    }

    private func watch(_ channels: KeyChannels) {
        process.watch { [weak self] in
            channels.waitForEnd()
            self?.ended(channels)
        }
    }

    private func ended(_ channels: KeyChannels) {
        let pause: Double? = state.withLock { state in
            state.channels = nil
            let lasted = MonotonicTime.now() - state.began
            if lasted > Self.longRun { state.pause = Self.firstPause }
            return state.isRetired ? nil : state.pause
        }
        channels.end()
        guard let pause else { return }
        process.report(.ended)
        restart(after: pause)
    }

    private func restart(after pause: Double) {
        state.withLock { $0.pause = min(2 * pause, Self.longestPause) }
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.tryToRestart() }
    }

    private func tryToRestart() {
        guard !state.withLock({ $0.isRetired }) else { return }
        do throws(SigningProcessError) {
            let (report, channels) = try process.open()
            guard isSame(report) else {
                throw SigningProcessError(sentence: "the keys have changed since they were loaded; reload to apply")
            }
            let isRetired = state.withLock { state in
                guard !state.isRetired else { return true }
                (state.channels, state.began, state.reason) = (channels, MonotonicTime.now(), nil)
                return false
            }
            guard !isRetired else { return channels.end() }
            process.countRestart()
            process.report(.restarted)
            watch(channels)
        } catch {
            let (isNew, pause) = state.withLock { state in
                defer { state.reason = error.sentence }
                return (state.reason != error.sentence, state.pause)
            }
            if isNew { process.report(.failing(error.sentence)) }
            restart(after: pause)
        }
    }
}

/// A key in a process of its own. That process verifies what it signs, because a faulty signature would reveal the key to the
/// client that gets the token: OpenSSL verifies for keys in memory, `BatchSigner` for batches, `HardwareKey` for hardware.
final class SeparateKey: HeldKey {
    let publicKey: VerificationKey
    fileprivate let keys: SeparateKeys
    private let place: Int

    init(_ keys: SeparateKeys, _ place: Int, _ publicKey: VerificationKey) {
        (self.keys, self.place, self.publicKey) = (keys, place, publicKey)
    }

    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let answer = keys.sign([(place, message)]) else {
            throw SigningError(reason: keys.outage ?? "the signing process does not answer", isReported: true)
        }
        guard let signature = answer.signatures[0] else { throw SigningError(reason: Self.refusal) }
        return signature
    }

    private static let refusal =
        "the signing process made no signature: it signs tokens of the start's kinds, audiences and lifetimes, of the time now"

    fileprivate func order(_ message: [UInt8]) -> SigningRequest.Message { (place, message) }
}

/// Signs several messages by one exchange with the process.
package final class SeparateBatchSigner: BatchTokenSigner {
    private static let faultCount = Atomic(0)
    /// Wrong signatures by which processes ended their batches; none was used.
    package static var faults: Int { faultCount.load(ordering: .relaxed) }

    private let single: RS256Signer
    private let key: SeparateKey

    /// Nil unless the signer's key is in a process of its own.
    package init?(_ single: RS256Signer) {
        guard let key = single.held as? SeparateKey else { return nil }
        (self.single, self.key) = (single, key)
    }

    package var account: String { single.account }
    package var keyID: String { single.keyID }
    /// Without a library for batches, one exchange for four saves most of what an exchange costs, and blocks the event loop
    /// for less than a millisecond.
    package var batchSizes: ClosedRange<Int>? {
        guard key.keys.outage == nil else { return nil }
        return key.keys.report.signsBatches ? Self.libraryBatchSizes : 2...4
    }

    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] { try single.sign(message) }

    package func sign(together orders: [BatchOrder]) -> BatchedSignatures {
        let messages = orders.compactMap { signer, message in
            (signer as? SeparateBatchSigner).flatMap { $0.key.keys === key.keys ? $0.key.order(message) : nil }
        }
        // After a reload, what waited for the keys of before is signed alone, and so is all if no process answers.
        guard messages.count == orders.count, let answer = key.keys.sign(messages) else {
            return (orders.map { _ in nil }, nil)
        }
        if answer.fault != nil { Self.faultCount.add(1, ordering: .relaxed) }
        return (answer.signatures, answer.fault)
    }
}
