import TestSupport
import Concurrency
import Dispatch
import Foundation
import Testing

@testable import AuditLog

@Suite struct AuditStreamTests {
    /// A pipe and everything read from it so far; closed with its owner.
    private final class TestPipe: Sendable {
        private let reader: Int32
        let writer: Int32
        private let text = Guarded([UInt8]())

        init() {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            (reader, writer) = (ends[0], ends[1])
        }

        /// Reads what is available, and returns everything read so far.
        @discardableResult
        func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 1 << 17)
            let count = Glibc.read(reader, &buffer, buffer.count)
            return text.withLock { text in
                text += buffer.prefix(max(0, count))
                return text
            }
        }

        deinit {
            close(reader)
            close(writer)
        }
    }

    private func records(_ numbers: Range<Int>) -> [[UInt8]] { numbers.map { auditRecord($0) } }

    @Test func `a full disk fails records, and logging recovers when space is freed`() throws {
        let folder = try Scratch(tmpfs: "size=64k")
        let log = try AuditRecorder(folder.path("audit.log"))
        var count = 0
        while count < 10_000, log.appendOne(count) { count += 1 }
        #expect(count > 100)
        #expect(log.state == .failing("\(folder.path("audit.log")): cannot be written: No space left on device"))
        #expect(!log.appendOne(count + 1))
        #expect(try verified([folder.bytes("audit.log")]).verdict == "unbroken")
        try Child.mustRun(["mount", "-o", "remount,size=256k", folder.folder.path])
        #expect(log.reaches(.writable), "without any record")
        #expect(log.appendOne(count + 2))
        let result = try verified([folder.bytes("audit.log")])
        #expect(result.verdict == "unbroken")
        #expect(result.lost == 2)
        let ids = try folder.lines("audit.log").compactMap { try object($0)["request_id"] as? String }
        #expect(ids == (Array(0..<count) + [count + 2]).map { "request-\($0)" })
    }

    @Test func `a stream to a full device fails immediately`() {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let log = AuditRecorder(AuditWriter(AuditStream(descriptor: full)), patience: .hour)
        #expect(log.state == .failing("standard output: cannot be written: No space left on device"))
        #expect(!log.appendOne())
        log.flush()
    }

    @Test func `an unread pipe fails records by itself, and recovers when read`() throws {
        let pipe = TestPipe()
        let log = AuditRecorder(AuditWriter(AuditStream(descriptor: pipe.writer)))
        #expect(log.appendOne(-1))
        #expect(log.appendAll(0..<1000).contains(false))
        #expect(log.state != .writable)
        let isDone = Guarded(false)
        let reading = DispatchGroup()
        DispatchQueue(label: "reader").async(group: reading) {
            while !isDone.withLock({ $0 }) { pipe.read() }
        }
        #expect(log.reaches(.writable))
        #expect(log.appendOne(3000))
        isDone.withLock { $0 = true }
        reading.wait()
        #expect(verified([pipe.read()]).verdict == "unbroken")
    }

    @Test func `a partly written line is closed, and its length is recorded`() throws {
        let pipe = TestPipe()
        var writer = AuditWriter(AuditStream(descriptor: pipe.writer, patience: 0))
        for round in 0..<3 {
            #expect(throws: AuditFailure.self) { try writer.write(records(0..<1000)) }
            #expect(verified([pipe.read()]).verdict.hasPrefix("torn"), "\(round)")
        }
        try writer.write(records(0..<1))
        let result = verified([pipe.read()])
        #expect(result.verdict == "unbroken")
        #expect(result.tornPlaces == 3)
        // The opening line, three lines that count lost records, the records of three rounds, and the last record.
        #expect(Int(result.lost) + result.lines == 1 + 3 + 3000 + 1)
    }

    @Test func `a pipe without a reader fails`() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        close(ends[0])
        defer { close(ends[1]) }
        signal(SIGPIPE, SIG_IGN)
        let log = AuditRecorder(AuditWriter(AuditStream(descriptor: ends[1])), patience: .hour)
        #expect(!log.appendOne())
        #expect(log.state == .failing("standard output: cannot be written: Broken pipe"))
    }
}
