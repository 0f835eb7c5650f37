import CLinux
import Dispatch
import Locking

/// The audit trail: a record for each decision, chained by hash, durable before whoever waits for it goes on.
///
/// One writer takes all that waits, writes it in one piece, synchronizes once and completes it together, so that no
/// record waits for more than the write that was under way when it came, and its own. A record that has waited for
/// 800 ms is given up, so that a full disk, a reader that does not read or a device that hangs is an answer within a
/// second. Nobody is given a token without its record; a record may stand whose token was not given.
package final class AuditRecorder: Sendable {
    /// How it is with the trail, for the probe of readiness.
    package enum State: Equatable, Sendable {
        /// The last batch was written.
        case writable
        /// Where and why nothing can be written; tried again with each record, and each second without any.
        case failing(String)
    }

    private static let capacity = 8 << 20
    private static let patience: UInt64 = 800_000_000
    private static let delay: UInt64 = 250_000_000
    private static let retryDelay = DispatchTimeInterval.seconds(1)

    private let pending = Guarded(AuditQueue(capacity: capacity, patience: patience, delay: delay))
    // Locked on `queue` alone, so nobody ever waits for a write here.
    private let writer: Guarded<AuditWriter>
    private let queue = DispatchQueue(label: "audit")
    private let clock = DispatchQueue(label: "audit deadlines")
    private let place: String
    private let observe: @Sendable (State) -> Void

    /// A trail whose own first line has been written, or is tried each second; each change of its state is observed, on a
    /// thread that must not be held up.
    package init(_ writer: AuditWriter, observe: @escaping @Sendable (State) -> Void = { _ in }) {
        self.writer = Guarded(writer)
        place = writer.place
        self.observe = observe
        queue.sync { writePending() }
    }

    /// How it is now, for whoever asks whether tokens can be handed out.
    package var state: State { pending.withLock { $0.failure }.map { .failing("\(place): \($0)") } ?? .writable }

    /// How it is with the records.
    package var figures: AuditQueue.Figures {
        let now = DispatchTime.now().uptimeNanoseconds
        return pending.withLock { $0.figures(at: now) }
    }

    /// Takes in a record, the beginning of a line: a JSON object without its end. The completion is called once, on a thread of the trail's or at once if there is no room: with
    /// true as soon as the record is durable, with false if it is not and the token must not be given.
    package func append(_ line: [UInt8], _ completion: @escaping AuditQueue.Completion) {
        let now = DispatchTime.now().uptimeNanoseconds
        switch pending.withLock({ $0.append(line, at: now, completion) }) {
        case .refused: completion(false)
        case .admitted(let callsWriter, let deadline):
            if callsWriter { queue.async { self.writePending() } }
            if let deadline { watch(deadline) }
        }
    }

    /// Takes in a record that nobody waits for. It is written with the next one for which somebody does, or after 250 ms;
    /// where such records fill their share of the room it is lost, which the trail says.
    package func append(_ line: [UInt8]) {
        let now = DispatchTime.now().uptimeNanoseconds
        if let due = pending.withLock({ $0.appendUnawaited(line, at: now) }) { callWriter(at: due) }
    }

    /// Goes on in the file that has the name now, once what is being written is written; for SIGHUP, after the file was
    /// renamed. Then it is called with where the trail stands in the former file, nil if that is still the one; or with why
    /// it cannot be done, in which case the old file is written on.
    package func reopen(_ done: @escaping @Sendable (Result<AuditChain?, AuditError>) -> Void) {
        queue.async {
            let result = self.writer.withLock { writer in
                Result { () throws(AuditError) in try writer.reopen() }
            }
            self.writePending()
            done(result)
        }
    }

    /// Returns once what was appended before is written, with where the trail stands then; nil if that takes over a second.
    @discardableResult
    package func flush() -> AuditChain? {
        let end = Guarded<AuditChain?>(nil)
        let written = DispatchSemaphore(value: 0)
        queue.async {
            self.writePending()
            let chain = self.writer.withLock { $0.chain }
            end.withLock { $0 = chain }
            written.signal()
        }
        guard written.wait(timeout: .now() + .seconds(1)) == .success else { return nil }
        return end.withLock { $0 }
    }

    private func callWriter(at due: UInt64) {
        queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: due)) {
            let now = DispatchTime.now().uptimeNanoseconds
            let call = self.pending.withLock { $0.callIsDue(at: now) }
            if call.callsWriter { self.writePending() }
            if let again = call.again { self.callWriter(at: again) }
        }
    }

    private func writePending() {
        // A loop that is at work goes on when a sync is over: what it adds meanwhile shares the next one.
        let isBatch = clinux_begin_batch()
        defer { if isBatch { clinux_end_batch() } }
        let (records, missed) = pending.withLock { $0.take() }
        let failure = writer.withLock { writer in
            if missed > 0 { writer.miss(missed) }
            guard !records.isEmpty || writer.hasNote else { return nil as String? }
            do throws(AuditFailure) {
                try writer.write(records)
                return nil
            } catch {
                return error.reason
            }
        }
        settle(failure)
    }

    private func settle(_ failure: String?) {
        let settlement = pending.withLock { $0.finish(failure: failure) }
        tell(settlement, isDurable: failure == nil)
        guard settlement.isRetried else { return }
        queue.asyncAfter(deadline: .now() + Self.retryDelay) { [weak self] in
            guard let self, pending.withLock({ $0.retry() }) else { return }
            writePending()
        }
    }

    private func watch(_ deadline: UInt64) {
        // While a record waits, the writer that has been called for it holds the log.
        clock.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: deadline)) { [weak self] in
            guard let self else { return }
            let now = DispatchTime.now().uptimeNanoseconds
            let settlement = pending.withLock { $0.expire(at: now) }
            tell(settlement, isDurable: false)
            if let next = settlement.watches { watch(next) }
        }
    }

    private func tell(_ settlement: AuditQueue.Settlement, isDurable: Bool) {
        for completion in settlement.completions { completion(isDurable) }
        if settlement.isChange { observe(state) }
    }
}
