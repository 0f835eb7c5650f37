import Testing

@testable import AuditLog

/// Metrics of the audit log's queue.
@Suite struct AuditFigureTests {
    private static let line = [UInt8]("{}".utf8)

    @Test func `pending records are counted, and the oldest sets the lag`() {
        var queue = AuditQueue(capacity: 10, patience: 100, delay: 50)
        _ = queue.append(Self.line, at: 1000) { _ in }
        _ = queue.take()
        _ = queue.append(Self.line, at: 1020) { _ in }
        #expect(queue.figures(at: 1030).waiting == 2)
        #expect(queue.figures(at: 1030).oldest == 30)
        _ = queue.finish(failure: nil)
        #expect(queue.figures(at: 1030).waiting == 1)
        #expect(queue.figures(at: 1030).oldest == 10)
        #expect(queue.figures(at: 1030).kept == 1)
        #expect(queue.figures(at: 1030).lost == 0)
    }

    @Test func `refused, expired and unwritten records are each counted as lost once`() {
        var queue = AuditQueue(capacity: 5, patience: 100, delay: 50)
        for _ in 1...3 { _ = queue.append(Self.line, at: 0) { _ in } }
        #expect(queue.figures(at: 0).lost == 1)
        _ = queue.expire(at: 100)
        #expect(queue.figures(at: 100) == queue.figures(at: 200))
        #expect(queue.figures(at: 100).lost == 3)
        #expect(queue.figures(at: 100).waiting == 0)
        _ = queue.append(Self.line, at: 200) { _ in }
        _ = queue.take()
        _ = queue.finish(failure: "disk")
        #expect(queue.figures(at: 200).lost == 4)
        #expect(queue.figures(at: 200).kept == 0)
    }
}
