import TestSupport
import Concurrency
import Dispatch
import Foundation
import Testing

@testable import AuditLog

@Suite struct AuditRotationTests {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    private func rename(_ old: String, _ new: String) throws {
        try FileManager.default.moveItem(atPath: folder.path(old), toPath: folder.path(new))
    }

    @Test func `rotation under load loses no record and keeps the chain unbroken`() throws {
        let log = try AuditRecorder(folder.path("audit.log"))
        let finished = Guarded(false)
        let threads = DispatchGroup()
        for thread in 0..<8 {
            DispatchQueue(label: "client \(thread)").async(group: threads) {
                for number in stride(from: 0, to: 1000, by: 50) {
                    let records = 1000 * thread + number..<1000 * thread + number + 50
                    #expect(log.appendAll(records).allSatisfy { $0 })
                }
            }
        }
        threads.notify(queue: DispatchQueue(label: "end")) { finished.withLock { $0 = true } }
        var rotations = 0
        repeat {
            rotations += 1
            try rename("audit.log", "audit.log.\(rotations)")
            #expect(log.reopenNow() == nil)
        } while !finished.withLock { $0 }
        let names = (1...rotations).map { "audit.log.\($0)" } + ["audit.log"]
        let result = verified(try names.map { try folder.bytes($0) })
        #expect(result.verdict == "unbroken")
        #expect(result.files == rotations + 1)
        let records = try names.flatMap { try folder.lines($0) }.compactMap { try object($0)["request_id"] as? String }
        #expect(records.count == 8000)
        #expect(Set(records).count == 8000)
    }

    @Test func `a new file continues the old file's sequence and hash chain`() throws {
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.appendAll(0..<5).allSatisfy { $0 })
        try rename("audit.log", "audit.log.1")
        #expect(log.reopenNow() == nil)
        let old = try verified([folder.bytes("audit.log.1")])
        let header = try object(folder.lines("audit.log")[0])
        #expect(header["event"] as? String == "opened")
        #expect(header["seq"] as? Int == 7)
        #expect(header["prev"] as? String == old.lastHash)
        let files = try [folder.bytes("audit.log.1"), folder.bytes("audit.log")]
        #expect(verified(files).verdict == "unbroken")
        #expect(verified(files.reversed()).verdict == "removed file 2:1")
        #expect(verified([files[1]]).verdict == "unbroken", "the newer file alone")
    }

    @Test func `a full disk has space once the old file was moved away`() throws {
        let disk = try Scratch(tmpfs: "size=64k")
        let path = disk.path("audit.log")
        let log = try AuditRecorder(path)
        #expect(log.appendOne(1))
        _ = try Child.run(["dd", "if=/dev/zero", "of=\(disk.path("ballast"))", "bs=4k"])
        var number = 2
        while log.appendOne(number) { number += 1 }
        let reader = try #require(FileHandle(forReadingAtPath: path))
        try FileManager.default.removeItem(atPath: path)
        // Nothing is written to it any more.
        let old = try #require(try reader.readToEnd())
        try reader.close()
        #expect(log.reopenNow() == nil)
        #expect(log.appendOne(number))
        #expect(try verified([Array(old), disk.bytes("audit.log")]).verdict == "unbroken")
    }

    @Test func `reopening a file that was not renamed continues it`() throws {
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.reopenNow() == nil)
        #expect(log.appendOne())
        #expect(try folder.lines("audit.log").count == 2)
    }

    @Test func `reopening an unusable path reports why and keeps the old file`() throws {
        let log = try AuditRecorder(folder.path("audit.log"))
        let path = folder.path("audit.log")
        try rename("audit.log", "audit.log.1")
        try Child.mustRun(["mkfifo", path])
        #expect(
            log.reopenNow()
                == "\(path): is a FIFO; expected a regular file, which can be on stable storage")
        #expect(log.appendOne(1))
        try FileManager.default.removeItem(atPath: path)
        _ = try folder.write("audit.log", "somebody's notes\n".utf8)
        try Child.mustRun(["chmod", "600", path])
        #expect(
            log.reopenNow() == "\(path): is not empty; expected no file, or an empty one, to continue in")
        #expect(log.appendOne(2))
        #expect(try verified([folder.bytes("audit.log.1")]).verdict == "unbroken")
        #expect(try folder.lines("audit.log.1").count == 3)
        _ = try folder.write("audit.log", [])
        #expect(log.reopenNow() == nil)
        #expect(log.appendOne(3))
        #expect(try verified([folder.bytes("audit.log.1"), folder.bytes("audit.log")]).verdict == "unbroken")
    }
}
