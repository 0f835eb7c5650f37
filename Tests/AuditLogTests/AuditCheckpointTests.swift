import Concurrency
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AuditLog

@Suite struct AuditCheckpointTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `a line is noted first, after a thousand, and after ten seconds`() {
        var schedule = CheckpointSchedule()
        var looks: [UInt64] = []
        var noted: [Int64] = []
        func write(_ sequence: Int64, at now: UInt64) {
            for look in looks where look <= now {
                if schedule.look(at: sequence - 1) { noted.append(sequence - 1) }
            }
            looks.removeAll { $0 <= now }
            let (notes, look) = schedule.written(sequence, at: now)
            if notes { noted.append(sequence) }
            if let look { looks.append(look) }
        }
        write(1, at: 0)
        #expect(noted == [1])
        for line in 2...999 { write(Int64(line), at: 1) }
        #expect(noted == [1] && looks.count == 1)
        for line in 1000...1001 { write(Int64(line), at: 2) }
        #expect(noted == [1, 1001])
        write(1002, at: 3)
        #expect(looks.allSatisfy { $0 <= 10 * Self.second } && looks.count == 1)
        write(1003, at: 10 * Self.second)
        #expect(noted == [1, 1001, 1002])
        #expect(looks.allSatisfy { $0 <= 20 * Self.second } && looks.count == 1)
    }

    @Test func `a chain that has not grown is noted once`() {
        var schedule = CheckpointSchedule()
        let first = schedule.written(7, at: 0)
        #expect(first.notes)
        for _ in 1...3 {
            let (notes, look) = schedule.written(7, at: 5)
            #expect(!notes && look == nil)
        }
        let looks = [schedule.look(at: 7), schedule.look(at: 8)]
        #expect(looks == [false, true])
    }

    @Test func `the recorder notes its first line and each thousandth`() throws {
        let folder = try Scratch()
        let noted = Guarded<[AuditChain]>([])
        let log = AuditRecorder(
            try AuditWriter(path: folder.path("audit.log")), patience: .hour,
            checkpoint: { chain, done in
                noted.withLock { $0.append(chain) }
                done()
            })
        #expect(log.appendAll(0..<2500).allSatisfy { $0 })
        let end = log.flushed()
        #expect(log.note(end: end))
        let chains = noted.withLock { $0 }
        #expect(chains.first?.sequence == 1)
        #expect(chains.last == end)
        for (one, next) in zip(chains, chains.dropFirst()) {
            #expect((1...1000).contains(next.sequence - one.sequence))
        }
        let bytes = try folder.bytes("audit.log")
        #expect(verify(bytes, chains).fault == nil)
        #expect(verify(bytes, chains).foundCheckpoints == chains.count)
    }

    @Test func `each thousandth line of one batch is noted`() throws {
        let noted = Guarded<[Int64]>([])
        let sink = TestSink { _ in }
        let log = AuditRecorder(
            AuditWriter(sink), patience: .hour,
            checkpoint: { chain, done in
                noted.withLock { $0.append(chain.sequence) }
                done()
            })
        // No request waits for them, so they are written together.
        for number in 0..<3500 { log.append(auditRecord(number)) }
        #expect(log.note(end: log.flushed()))
        #expect(sink.batches.count < 4)
        #expect(noted.withLock { $0 } == [1, 1001, 2001, 3001, 3501])
    }

    @Test func `a partly written batch has its checkpoints too`() throws {
        let noted = Guarded<[Int64]>([])
        let (isWriting, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let sink = TestSink { batch throws(AuditFailure) in
            guard batch.lines.count > 3000 else {
                // The batch of one record is being written until all others wait.
                guard batch.chain.sequence == 2 else { return }
                isWriting.signal()
                goesOn.wait()
                return
            }
            throw AuditFailure(reason: "full", written: batch.lines[2499].upperBound + 7)
        }
        let log = AuditRecorder(
            AuditWriter(sink), patience: .hour,
            checkpoint: { chain, done in
                noted.withLock { $0.append(chain.sequence) }
                done()
            })
        log.append(auditRecord(0)) { _ in }
        isWriting.wait()
        for number in 1...3500 { log.append(auditRecord(number)) }
        goesOn.signal()
        #expect(log.note(end: log.flushed()))
        #expect(sink.batches.contains(3500))
        #expect(noted.withLock { $0.prefix(3) } == [1, 1001, 2001])
    }

    @Test func `lines removed from the end, or rewritten, are found by checkpoints`() throws {
        let folder = try Scratch()
        #expect(try AuditRecorder(folder.path("audit.log")).appendAll(0..<5).allSatisfy { $0 })
        let lines = try folder.lines("audit.log").map { $0 + [UInt8(ascii: "\n")] }
        let last = try #require(verify(Array(lines.joined()), []).last)
        for count in 1..<lines.count {
            // The daemon was killed, the last lines were removed, and it was started again.
            let path = try folder.write("cut", lines.prefix(count).joined())
            #expect(try AuditRecorder(path).appendAll(0..<6).allSatisfy { $0 })
            let bytes = try folder.bytes("cut")
            #expect(verify(bytes, []).fault == nil)
            let fault = try #require(verify(bytes, [last]).fault)
            #expect(fault.kind == .removed)
            #expect(fault.sentence.hasPrefix("no line has the number 6 and the hash \(last.hashText) of a checkpoint"))
        }
    }

    @Test func `checkpoints of an earlier file are counted, not missed`() throws {
        let folder = try Scratch()
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.appendAll(0..<3).allSatisfy { $0 })
        let middle = AuditChain(sequence: 2, hash: [UInt8](repeating: UInt8(ascii: "a"), count: 64))
        let end = log.flushed()
        try FileManager.default.moveItem(atPath: folder.path("audit.log"), toPath: folder.path("audit.1"))
        #expect(log.reopenNow() == nil)
        #expect(log.appendOne())
        let newer = try folder.bytes("audit.log")
        let result = verify(newer, [middle, end, log.flushed()])
        #expect(result.fault == nil)
        #expect(result.foundCheckpoints == 2 && result.earlierCheckpoints == 1)
        #expect(result.linesAfterCheckpoint == 0)
        #expect(verify(try folder.bytes("audit.1") + newer, [middle]).fault?.kind == .removed)
    }

    @Test func `a chain made up after all checkpoints is not unbroken`() throws {
        let folder = try Scratch()
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.appendAll(0..<3).allSatisfy { $0 })
        let newest = log.flushed()
        let other = AuditChain(sequence: 900, hash: [UInt8](repeating: UInt8(ascii: "a"), count: 64))
        for previous in [newest, other] {
            let forged = batch(after: previous, .opened).bytes
            #expect(verify(forged, []).fault == nil)
            let fault = try #require(verify(forged, [newest]).fault)
            #expect(fault.kind == .removed && fault.sentence == AuditFault.uncoveredChain)
        }
    }

    @Test func `a chain made up between two others is found`() throws {
        let other = batch(after: .beginning, .begun)
        var (forged, genuine) = (AuditBatch(after: .beginning, closesLine: false), batch(after: .beginning, .begun))
        forged.append(AuditNote(event: .begun, torn: 0, lost: 7).lineStart())
        for number in 0..<3 { forged.append(auditRecord(number)) }
        genuine.append(auditRecord(9))
        let covered = other.bytes + genuine.bytes
        #expect(verify(covered, [other.chain, genuine.chain]).fault == nil)
        let bytes = other.bytes + forged.bytes + genuine.bytes
        #expect(verify(bytes, []).fault == nil)
        #expect(verify(bytes, [other.chain, genuine.chain]).fault?.sentence == AuditFault.uncoveredChain)
        // Lines after each chain's last checkpoint are counted.
        let first = try #require(Array(forged.chains.dropFirst()).first)
        let result = verify(forged.bytes + genuine.bytes, [first, genuine.chain])
        #expect(result.fault == nil && result.linesAfterCheckpoint == 3)
    }

    @Test func `an end that may not be noted is reported`() throws {
        let dones = Guarded<[@Sendable () -> Void]>([])
        let log = AuditRecorder(
            AuditWriter(TestSink { _ in }), patience: .hour,
            checkpoint: { _, done in dones.withLock { $0.append(done) } })
        #expect(!log.note(end: log.flushed()))
        for done in dones.withLock({ $0 }) { done() }
        #expect(log.note(end: log.flushed()))
    }

    @Test func `a checkpoint that a full disk cuts off leaves nothing`() throws {
        let disk = try Scratch(tmpfs: "size=8k")
        let path = disk.path("ends")
        let chain = AuditChain(sequence: 18, hash: [UInt8](repeating: UInt8(ascii: "a"), count: 64))
        while (try? AuditFile.append(checkpoints: chain.checkpoint(), to: path)) != nil {}
        let bytes = try disk.bytes("ends")
        #expect(bytes.last == UInt8(ascii: "\n") && bytes.count > 2000)
        let line = String(decoding: chain.checkpoint(), as: UTF8.self).dropLast()
        #expect(AuditChain(inLine: Array(line.utf8)) == chain)
        #expect(AuditChain(inLine: Array("audit checkpoint hash=\(chain.hashText) seq=18".utf8)) == chain)
        let torn = line.dropLast(2)
        for text in [torn, torn + #"{"time":"x","seq":18}"#] { #expect(AuditChain(inLine: Array(text.utf8)) == nil) }
    }

    @Test func `a high number does not excuse checkpoints of a later chain`() throws {
        let high = AuditChain(sequence: 900, hash: [UInt8](repeating: UInt8(ascii: "a"), count: 64))
        let genuine = batch(after: .beginning, .begun)
        let missed = AuditChain(sequence: 500, hash: [UInt8](repeating: UInt8(ascii: "b"), count: 64))
        let earlier = batch(after: high, .opened)
        let bytes = earlier.bytes + genuine.bytes
        #expect(verify(bytes, [earlier.chain, genuine.chain]).fault == nil)
        #expect(
            verify(bytes, [earlier.chain, genuine.chain, missed]).fault?.sentence
                == AuditFault.missingCheckpoint(missed))
    }

    @Test func `lines after the last checkpoint are counted`() throws {
        let folder = try Scratch()
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.appendOne())
        let noted = log.flushed()
        #expect(log.appendAll(1..<4).allSatisfy { $0 })
        let result = verify(try folder.bytes("audit.log"), [noted])
        #expect(result.fault == nil)
        #expect(result.text.contains("\nlines after the last checkpoint, which could be forged: 3\n"))
        #expect(try object(result.json.utf8)["lines_after_checkpoint"] as? Int == 3)
    }

    /// One line about the audit log and one record.
    private func batch(after chain: AuditChain, _ event: AuditNote.Event) -> AuditBatch {
        var batch = AuditBatch(after: chain, closesLine: false)
        batch.append(AuditNote(event: event).lineStart())
        batch.append(auditRecord(1))
        return batch
    }

    @Test func `checkpoints are read from both log formats and their own file`() {
        let hash = String(repeating: "0a", count: 32)
        let chain = AuditChain(sequence: 12, hash: Array(hash.utf8))
        for line in [
            String(decoding: chain.checkpoint(), as: UTF8.self),
            "2026-11-23T07:00:00.125Z notice audit checkpoint hash=\(hash) seq=12",
            "Nov 23 07:00:00 host token-provider[7]: 2026-11-23T07:00:00.125Z info the audit log ends "
                + "last_hash=\(hash) seq=12",
            #"{"time":"x","level":"notice","message":"audit checkpoint","hash":"\#(hash)","seq":12}"#,
            #"{"time":"x","level":"info","message":"the audit log ends","last_hash":"\#(hash)","seq":"12"}"#,
        ] {
            #expect(AuditChain(inLine: Array(line.utf8)) == chain, "\(line)")
        }
    }

    @Test func `a client's words in a log are not a checkpoint`() {
        let hash = String(repeating: "0a", count: 32)
        for line in [
            "info refused code=a reason=\"iss is \\\"x hash=\(hash) seq=12\\\"\"",
            "info refused reason=\" hash=\(hash) seq=12\"", "info refused reason=\"\u{301} hash=\(hash) seq=12\"",
            #"{"message":"refused","reason":"x \"last_hash\":\"\#(hash)\",\"seq\":12"}"#,
            "notice audit checkpoint hash=\(hash.dropLast()) seq=12",
            "notice audit checkpoint hash=\(hash) seq=0", "notice audit checkpoint seq=12",
        ] {
            #expect(AuditChain(inLine: Array(line.utf8)) == nil, "\(line)")
        }
    }

    @Test func `lines are found whatever the chunks`() {
        let chain = AuditChain(sequence: 3, hash: Array(String(repeating: "b", count: 64).utf8))
        let bytes = Array("other\n".utf8) + chain.checkpoint() + chain.checkpoint().dropLast()
        for size in 1...bytes.count {
            var found = AuditCheckpoints()
            for start in stride(from: 0, to: bytes.count, by: size) {
                found.read(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            found.endFile()
            #expect(found.chains == [chain, chain])
        }
    }

    private func verify(_ bytes: [UInt8], _ checkpoints: [AuditChain]) -> AuditVerification {
        var verifier = AuditVerifier(checkpoints: checkpoints)
        verifier.begin("audit.log")
        verifier.read(bytes)
        return verifier.finish()
    }
}
