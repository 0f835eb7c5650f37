import TestSupport
import Concurrency
import Dispatch
import Glibc
import Testing

@testable import AuditLog

@Suite struct AuditRecorderTests {
    @Test func `records that arrive during a synchronization share the next one`() throws {
        let gate = DispatchSemaphore(value: 0)
        let sink = TestSink { _ in gate.wait() }
        gate.signal()
        let log = AuditRecorder(AuditWriter(sink), patience: .hour)
        let done = DispatchGroup()
        func append(_ number: Int) {
            done.enter()
            log.append(auditRecord(number)) { isDurable in
                #expect(isDurable)
                done.leave()
            }
        }
        append(0)
        try Patience.wait(for: "the first record") { sink.batches.count >= 2 }
        for number in 1...1000 { append(number) }
        gate.signal()
        gate.signal()
        done.wait()
        #expect(sink.batches == [1, 1, 1000])
    }

    // A thread that writes must not take the processor from an event loop.
    @Test func `records are written under SCHED_BATCH, and the caller's policy is restored`() throws {
        let policy = Guarded(SCHED_OTHER)
        let log = AuditRecorder(AuditWriter(TestSink { _ in policy.withLock { $0 = sched_getscheduler(0) } }))
        let batch: Int32 = 3  // SCHED_BATCH of sched(7), which Glibc's module lacks
        #expect(policy.withLock { $0 } == batch)
        _ = log.flushed()
        #expect(sched_getscheduler(0) == SCHED_OTHER)
    }

    @Test func `under load a record waits for at most two synchronizations`() {
        let begun = Guarded(0)
        // Clients that have not finished, and their records that wait.
        let load = Guarded((clients: 0, waiting: 0))
        let sink = TestSink { _ in
            begun.withLock { $0 += 1 }
            // A synchronization lasts until a record of each client waits.
            while load.withLock({ $0.waiting < $0.clients }) { sched_yield() }
        }
        let log = AuditRecorder(AuditWriter(sink), patience: .hour)
        let most = Guarded(0)
        onThreads(16) { thread in
            load.withLock { $0.clients += 1 }
            while load.withLock({ $0.clients < 16 }) { sched_yield() }
            for number in 0..<100 {
                let atCompletion = Guarded(Int.max)
                let done = DispatchSemaphore(value: 0)
                log.append(auditRecord(100 * thread + number)) { isDurable in
                    if isDurable { atCompletion.withLock { $0 = begun.withLock { $0 } } }
                    load.withLock { $0.waiting -= 1 }
                    done.signal()
                }
                let before = begun.withLock { $0 }
                load.withLock { $0.waiting += 1 }
                done.wait()
                most.withLock { $0 = max($0, atCompletion.withLock { $0 } - before) }
            }
            load.withLock { $0.clients -= 1 }
        }
        let batches = sink.batches
        #expect(batches.reduce(0, +) == 1601)
        #expect(batches.count < 1600 / 4)
        // The synchronization under way, which may have taken its records but not begun, and the record's own.
        #expect(most.withLock { $0 } <= 2)
    }

    // Tests of the queue count this time by a clock of their own.
    @Test func `a record waits for 0.8 seconds at most`() {
        #expect(AuditRecorder.patience == 800_000_000)
    }

    @Test func `a stuck writer fails each record by itself until it recovers`() {
        let gate = DispatchSemaphore(value: 0)
        let sink = TestSink { batch in if batch.chain.sequence == 2 { gate.wait() } }
        let log = AuditRecorder(AuditWriter(sink))
        for records in [0..<1, 1..<500, 500..<501] {
            #expect(log.appendAll(records).allSatisfy { !$0 })
            #expect(log.state == .failing("test: no record could be written in time"))
        }
        gate.signal()
        #expect(log.reaches(.writable))
        #expect(log.appendOne(501))
        // Records that expire before they are taken are never written. The lines are the opening one, the first record,
        // the number of lost records, and the last record; the last two may share a batch.
        #expect(sink.batches.prefix(2) == [1, 1])
        #expect(sink.batches.reduce(0, +) == 4)
        #expect(sink.lost == 500)
    }

    @Test func `with a hung device the queue fills, then refuses records immediately`() {
        var queue = AuditQueue(capacity: 1000, patience: 800, delay: 50)
        func append(_ bytes: Int, at time: UInt64) -> AuditQueue.Admission {
            queue.append([UInt8](repeating: 0x20, count: bytes), at: time) { _ in }
        }
        #expect(append(100, at: 1) == .admitted(callsWriter: true, watches: 801))
        let taken = queue.take()
        #expect(taken.lines.count == 1)
        #expect(append(100, at: 2) == .admitted(callsWriter: true, watches: nil))
        for time: UInt64 in 3...11 {
            #expect(append(100, at: time) == .admitted(callsWriter: false, watches: nil))
        }
        #expect(append(100, at: 12) == .refused)
        var settlement = queue.expire(at: 804)
        #expect(settlement.completions.count == 4)
        #expect(settlement.isChange)
        #expect(settlement.watches == 805)
        #expect(append(100, at: 805) == .admitted(callsWriter: false, watches: nil))
        settlement = queue.finish(failure: nil)
        #expect(settlement.completions.isEmpty, "it has expired")
        #expect(settlement.isChange)
        let later = queue.take()
        #expect(later.lines.count == 8)
        #expect(later.missed == 4, "one was refused, three expired")
        settlement = queue.finish(failure: "cannot be written")
        #expect(settlement.completions.count == 8)
        #expect(settlement.isRetried)
        settlement = queue.finish(failure: "cannot be written")
        #expect(!settlement.isRetried, "a retry is already scheduled")
        let isStillFailing = queue.retry()
        #expect(isStillFailing)
        queue = AuditQueue(capacity: 1 << 20, patience: 800, delay: 50)
        #expect(append(65_536, at: 0) == .refused, "no line is that long")
    }

    @Test func `a file that grew by more than a failed batch ends it`() {
        let fails = Guarded(true)
        let sink = TestSink { batch throws(AuditFailure) in
            if fails.withLock({ $0 }) { throw AuditFailure(reason: "full", written: batch.bytes.count + 9) }
        }
        let log = AuditRecorder(AuditWriter(sink), patience: .hour)
        #expect(!log.appendOne())
        fails.withLock { $0 = false }
        #expect(log.reaches(.writable))
        #expect(log.appendOne())
    }

    @Test func `each state change is observed once`() {
        let fails = Guarded(false)
        let sink = TestSink { _ throws(AuditFailure) in
            if fails.withLock({ $0 }) { throw AuditFailure(reason: "cannot be written: Input/output error") }
        }
        let states = Guarded([AuditRecorder.State]())
        let log = AuditRecorder(AuditWriter(sink), patience: .hour) { state in states.withLock { $0.append(state) } }
        #expect(log.appendOne())
        fails.withLock { $0 = true }
        #expect(log.appendAll(0..<10).allSatisfy { !$0 })
        #expect(!log.appendOne())
        fails.withLock { $0 = false }
        #expect(log.reaches(.writable))
        #expect(states.withLock { $0 } == [.failing("test: cannot be written: Input/output error"), .writable])
    }
}
