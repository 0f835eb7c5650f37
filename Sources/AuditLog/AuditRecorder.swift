import CLinux
import Concurrency
import Dispatch

/// The audit log: a record for each decision, chained by hash, and durable before the token is sent.
///
/// How a record travels:
/// 1. TokenService/Records/AuditRecord+JSON.swift: `opening` makes the start of a line.
/// 2. AuditRecorder.swift: `append` adds it to the queue (AuditQueue.swift: `append`) and calls the writer.
/// 3. AuditRecorder.swift: `writePending` takes all that waits (AuditQueue.swift: `take`).
/// 4. AuditWriter.swift: `write` makes a batch; AuditChain.swift: `next` adds number and hashes to each line.
/// 5. AuditFile.swift, AuditStream.swift or AuditSocket.swift: `put` writes the batch.
/// 6. AuditRecorder.swift: `settle` calls the completions (AuditQueue.swift: `finish`): the token is sent, or 503.
///
/// One writer takes all waiting records, writes them together, synchronizes once and completes them together. So a record
/// waits at most for the write in progress when it came, and its own. A record that has waited for 800 ms is given up, so
/// that a full disk, a reader that does not read or a device that hangs is answered within a second. No token is sent
/// without its record; a record may exist for a token that was not sent.
package final class AuditRecorder: Sendable {
    /// Whether the audit log can be written, for `/readyz`.
    package enum State: Equatable, Sendable {
        /// The last batch was written.
        case writable
        /// Where and why it cannot be written; tried again with each record, and each second without any.
        case failing(String)
    }

    /// Notes the end of the chain where the audit log's writers cannot change it; calls back once that is done or failed.
    package typealias Checkpoint = @Sendable (AuditChain, _ done: @escaping @Sendable () -> Void) -> Void

    private static let capacity = 8 << 20
    static let patience: UInt64 = 800_000_000
    private static let delay: UInt64 = 250_000_000
    private static let retryDelay = DispatchTimeInterval.seconds(1)

    private let pending: Guarded<AuditQueue>
    // Locked on `queue` only, so no request waits for a write here.
    private let writer: Guarded<AuditWriter>
    private let queue = DispatchQueue(label: "audit")
    private let clock = DispatchQueue(label: "audit deadlines")
    private let place: String
    private let observe: @Sendable (State) -> Void
    private let schedule = Guarded(CheckpointSchedule())
    /// A queue of its own, since a checkpoint may take long.
    private let checkpoints = DispatchQueue(label: "audit checkpoints")
    private let checkpoint: Checkpoint?
    /// The checkpoints that are being noted.
    private let noting = DispatchGroup()

    /// Writes the first line, or tries again each second. Each change of state is observed, on a thread that must not be
    /// blocked; checkpoints may block theirs.
    package init(
        _ writer: AuditWriter, patience: UInt64 = patience, observe: @escaping @Sendable (State) -> Void = { _ in },
        checkpoint: Checkpoint? = nil
    ) {
        pending = Guarded(AuditQueue(capacity: Self.capacity, patience: patience, delay: Self.delay))
        self.writer = Guarded(writer)
        place = writer.place
        (self.observe, self.checkpoint) = (observe, checkpoint)
        queue.sync { writePending() }
    }

    /// Whether it can be written now, and so tokens can be handed out.
    package var state: State { pending.withLock { $0.failure }.map { .failing("\(place): \($0)") } ?? .writable }

    /// Counts of records.
    package var figures: AuditQueue.Figures {
        let now = DispatchTime.now().uptimeNanoseconds
        return pending.withLock { $0.figures(at: now) }
    }

    /// Appends a record, the start of a line: a JSON object without its end. The completion is called once, on a thread of
    /// the audit log, or at once if the queue is full: with true as soon as the record is durable, with false if it is not
    /// and the token must not be sent.
    package func append(_ line: [UInt8], _ completion: @escaping AuditQueue.Completion) {
        let now = DispatchTime.now().uptimeNanoseconds
        switch pending.withLock({ $0.append(line, at: now, completion) }) {
        case .refused: completion(false)
        case .admitted(let callsWriter, let deadline):
            if callsWriter { queue.async { self.writePending() } }
            if let deadline { watch(deadline) }
        }
    }

    /// Appends a record that no request waits for. It is written with the next awaited one, or after 250 ms. If such records
    /// fill their share of the queue it is lost, and the audit log says so.
    package func append(_ line: [UInt8]) {
        let now = DispatchTime.now().uptimeNanoseconds
        if let due = pending.withLock({ $0.appendUnawaited(line, at: now) }) { callWriter(at: due) }
    }

    /// Continues in the file that has the name now, after the write in progress; for SIGHUP, after the file was renamed.
    /// Calls back with the chain at the end of the previous file, nil if it is the same file; or with why the file cannot
    /// be opened, in which case the previous file continues.
    package func reopen(_ done: @escaping @Sendable (Result<AuditChain?, AuditError>) -> Void) {
        queue.async {
            let result = self.writer.withLock { writer in
                Result { () throws(AuditError) in try writer.reopen() }
            }
            self.noteIfDue([self.writer.withLock { $0.chain }])
            self.writePending()
            done(result)
        }
    }

    /// Returns once all earlier records are written, with the chain then; nil if that takes over a second.
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

    /// Notes an end of the chain, and returns whether that and all before is done within a second.
    package func note(end chain: AuditChain) -> Bool {
        if schedule.withLock({ $0.look(at: chain.sequence) }) { note(chain) }
        return noting.wait(timeout: .now() + .seconds(1)) == .success
    }

    private func note(_ chain: AuditChain) {
        guard let checkpoint else { return }
        noting.enter()
        checkpoints.async { [noting] in checkpoint(chain) { noting.leave() } }
    }

    /// Notes those of these ends of the chain that are due, and plans the next look at its end.
    private func noteIfDue(_ chains: ArraySlice<AuditChain>) {
        guard checkpoint != nil else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        let (due, time) = schedule.withLock { schedule in
            var time: UInt64?
            let due = chains.filter { chain in
                let (notes, looksAt) = schedule.written(chain.sequence, at: now)
                time = looksAt ?? time
                return notes
            }
            return (due, time)
        }
        for chain in due { note(chain) }
        guard let time else { return }
        queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) { [weak self] in
            guard let self else { return }
            let chain = writer.withLock { $0.chain }
            if schedule.withLock({ $0.look(at: chain.sequence) }) { note(chain) }
        }
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
        // After a sync, a working event loop keeps its processor: what it adds meanwhile shares the next sync.
        let isBatch = clinux_begin_batch()
        defer { if isBatch { clinux_end_batch() } }
        let (records, missed) = pending.withLock { $0.take() }
        let (failure, ends) = writer.withLock { writer in
            if missed > 0 { writer.recordLoss(of: missed) }
            guard !records.isEmpty || writer.hasNote else { return (nil as String?, [writer.chain][...]) }
            do throws(AuditFailure) {
                try writer.write(records)
                return (nil, writer.ends)
            } catch {
                return (error.reason, writer.ends)
            }
        }
        settle(failure)
        noteIfDue(ends)
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
