import TestSupport
import Dispatch
import Testing

@testable import AuditLog

/// Records that no request waits for: they neither displace nor delay awaited ones.
@Suite struct AuditUnawaitedTests {
    private static let line = [UInt8](repeating: 0x20, count: 100)

    private var queue = AuditQueue(capacity: 1000, patience: 800, delay: 50)

    @Test mutating func `unawaited records fill a quarter of the queue; excess is counted lost`() {
        #expect(queue.appendUnawaited(Self.line, at: 0) == 50)
        #expect(queue.appendUnawaited(Self.line, at: 1) == nil)
        for time: UInt64 in 2...9 { #expect(queue.appendUnawaited(Self.line, at: time) == nil) }
        #expect(queue.figures(at: 10).waiting == 2)
        #expect(queue.figures(at: 10).lost == 8)
        for _ in 1...8 { #expect(queue.append(Self.line, at: 10) { _ in } != .refused) }
        #expect(queue.append(Self.line, at: 10) { _ in } == .refused)
        let taken = queue.take()
        #expect(taken.lines.count == 10)
        #expect(taken.missed == 9)
        #expect(queue.appendUnawaited(Self.line, at: 20) == nil, "the writer is called anyway")
        #expect(queue.figures(at: 20).waiting == 11, "the queue has space again")
    }

    @Test mutating func `unawaited records are written in order with the next awaited one`() {
        #expect(queue.appendUnawaited([1], at: 0) == 50)
        #expect(queue.append([2], at: 10) { _ in } == .admitted(callsWriter: true, watches: 810))
        #expect(queue.appendUnawaited([3], at: 20) == nil)
        #expect(queue.take().lines == [[1], [2], [3]])
        #expect(queue.finish(failure: nil).completions.count == 1)
        #expect(queue.figures(at: 20).kept == 3)
        let due = queue.callIsDue(at: 50)
        #expect(!due.callsWriter && due.again == nil, "they were written")
    }

    @Test mutating func `without an awaited record the writer is called once after the delay`() {
        #expect(queue.appendUnawaited([1], at: 0) == 50)
        _ = queue.append([2], at: 10) { _ in }
        _ = queue.take()
        #expect(queue.appendUnawaited([3], at: 40) == nil)
        var due = queue.callIsDue(at: 50)
        #expect(!due.callsWriter && due.again == 90)
        #expect(queue.appendUnawaited([4], at: 60) == nil)
        due = queue.callIsDue(at: 90)
        #expect(due.callsWriter && due.again == nil)
        #expect(queue.append([5], at: 95) { _ in } == .admitted(callsWriter: false, watches: nil))
        #expect(queue.take().lines == [[3], [4], [5]])
    }

    @Test mutating func `unawaited records do not expire, but an awaited record among them does`() {
        _ = queue.appendUnawaited([1], at: 0)
        #expect(queue.append([2], at: 10) { _ in } == .admitted(callsWriter: true, watches: 810))
        _ = queue.appendUnawaited([3], at: 20)
        #expect(queue.figures(at: 110).oldest == 100)
        let settlement = queue.expire(at: 900)
        #expect(settlement.completions.count == 1)
        #expect(settlement.watches == nil)
        #expect(queue.take().lines == [[1], [3]])
        #expect(queue.expire(at: 2000).completions.isEmpty)
        #expect(queue.finish(failure: "disk").completions.isEmpty)
        #expect(queue.figures(at: 2000).lost == 3)
    }

    @Test func `a flood of unawaited records takes few writes and loses none`() {
        // The first line passes; the next write lasts until all records are there.
        let gate = DispatchSemaphore(value: 1)
        let sink = TestSink { _ in gate.wait() }
        let log = AuditRecorder(AuditWriter(sink), patience: .hour)
        for number in 0..<1000 { log.append(auditRecord(number)) }
        for _ in 0..<3 { gate.signal() }
        _ = log.flushed()
        #expect(sink.batches.count <= 3)
        #expect(sink.batches.reduce(0, +) == 1001)
    }

    @Test func `a single unawaited record is written soon`() throws {
        let sink = TestSink { _ in }
        let log = AuditRecorder(AuditWriter(sink), patience: .hour)
        log.append(auditRecord(1))
        try Patience.wait(for: "the record") { sink.batches == [1, 1] }
    }
}
