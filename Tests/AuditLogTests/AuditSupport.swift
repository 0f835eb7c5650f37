import TestSupport
import Concurrency
import Dispatch
import Glibc
import Testing

@testable import AuditLog

/// The beginning of a record that its number identifies.
func auditRecord(_ number: Int) -> [UInt8] {
    Array(
        #"{"time":"2026-01-31T09:05:00.000Z","outcome":"denied","request_id":"request-\#(number)","peer":"192.0.2.1""#
            .utf8)
}

extension AuditRecorder {
    /// Appends records together, waits for all of them, and returns for each whether it is durable.
    func appendAll(_ numbers: Range<Int>) -> [Bool] {
        let results = Guarded([Int: Bool]())
        let done = DispatchGroup()
        for number in numbers {
            done.enter()
            append(auditRecord(number)) { isDurable in
                results.withLock { $0[number] = isDurable }
                done.leave()
            }
        }
        done.wait()
        return results.withLock { results in numbers.compactMap { results[$0] } }
    }

    /// Appends one record, waits for it, and returns whether it is durable.
    func appendOne(_ number: Int = 0) -> Bool { appendAll(number..<number + 1) == [true] }

    /// Reopens the file and waits; returns why that failed, if it did.
    func reopenNow() -> String? {
        let problem = Guarded<String?>(nil)
        let done = DispatchSemaphore(value: 0)
        reopen { result in
            if case .failure(let error) = result { problem.withLock { $0 = error.description } }
            done.signal()
        }
        done.wait()
        return problem.withLock { $0 }
    }

    /// The chain once all earlier records are written, however long that takes.
    func flushed() -> AuditChain {
        while true {
            if let chain = flush() { return chain }
        }
    }

    /// Waits for the state, and returns whether it was reached.
    func reaches(_ state: State) -> Bool {
        let end = ContinuousClock.now + Patience.limit
        while self.state != state, ContinuousClock.now < end { flush() }
        return self.state == state
    }

    /// The audit log of a file, as soon as the previous log has released that file.
    convenience init(_ path: String) throws { self.init(try Self.writer(path), patience: .hour) }

    private static func writer(_ path: String) throws -> AuditWriter {
        let end = ContinuousClock.now + Patience.limit
        while true {
            do throws(AuditError) {
                return try AuditWriter(path: path)
            } catch {
                guard error.problem.hasPrefix("another process"), ContinuousClock.now < end else { throw error }
                sched_yield()
            }
        }
    }
}

extension UInt64 {
    /// In nanoseconds. A record that has so long to be written does not expire, however slow the disk is.
    static let hour: UInt64 = 3_600_000_000_000
}

/// Runs a body on `count` threads at once, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let threads = DispatchGroup()
    for thread in 0..<count { DispatchQueue(label: "client \(thread)").async(group: threads) { body(thread) } }
    threads.wait()
}

/// Verifies the files of one audit log, read in chunks of `chunk` bytes.
func verified(_ files: [[UInt8]], chunk: Int = 1000, expected: [String] = []) -> AuditVerification {
    var verifier = AuditVerifier(expecting: Set(expected))
    for (index, file) in files.enumerated() {
        verifier.begin("file \(index + 1)")
        var rest = file[...]
        while !rest.isEmpty {
            verifier.read(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
    }
    return verifier.finish()
}

extension AuditVerification {
    /// The fault and its place, such as `changed file 1:3`, or "unbroken".
    var verdict: String {
        fault.map { "\($0.kind.rawValue) \($0.place.file):\($0.place.line)" } ?? "unbroken"
    }

    var lastHash: String { last.map { $0.hashText } ?? "" }
}

/// A sink whose behaviour a test chooses, and which remembers the batches that it was given.
final class TestSink: AuditSink {
    let place = "test"
    private let behaviour: @Sendable (AuditBatch) throws(AuditFailure) -> Void
    private let sizes = Guarded([Int]())
    private let losses = Guarded<Int64>(0)

    init(_ behaviour: @escaping @Sendable (AuditBatch) throws(AuditFailure) -> Void) { self.behaviour = behaviour }

    /// The number of lines of each batch.
    var batches: [Int] { sizes.withLock { $0 } }

    /// The number of records that the audit log itself reports as lost.
    var lost: Int64 { losses.withLock { $0 } }

    func put(_ batch: AuditBatch) throws(AuditFailure) {
        for line in batch.lines {
            let lost = AuditLine(Array(batch.bytes[line]))?.note?.lost ?? 0
            losses.withLock { $0 += lost }
        }
        sizes.withLock { $0.append(batch.lines.count) }
        try behaviour(batch)
    }
}
