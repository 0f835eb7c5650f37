import TestSupport
import Foundation
import Testing

@testable import AuditLog

/// The process that is killed. `AuditCrashTests` runs this suite alone, with a file in the environment; then it never
/// ends.
@Suite struct AuditWriterProcess {
    static let variable = "TOKEN_PROVIDER_TEST_AUDIT_FILE"

    @Test func `appending from several threads reports which records are durable`() throws {
        signal(SIGXFSZ, SIG_IGN)
        let file = ProcessInfo.processInfo.environment[Self.variable]
        // A killed process could not remove its folder.
        let folder = file == nil ? try Scratch() : nil
        let log = try AuditRecorder(file ?? folder?.path("audit.log") ?? "")
        let rounds = file == nil ? 10 : Int.max
        onThreads(4) { thread in
            for round in 0..<rounds {
                let number = 10_000_000 * (thread + 1) + round
                let word = log.appendOne(number) ? "durable" : "lost"
                if file != nil { FileHandle.standardOutput.write(Data("\(word) request-\(number) \n".utf8)) }
            }
        }
        #expect(log.state == .writable)
    }
}

@Suite struct AuditCrashTests {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Kills a process after it has reported `records` durable records, and returns all that it reported. With `limit`, its
    /// files may not grow beyond that many bytes until records are lost.
    private func runAndKill(after records: Int, limit: Int? = nil) throws -> [(word: String, id: String)] {
        let output = try OutputPipe()
        let process = try Child(
            [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", "AuditWriterProcess"],
            environment: [AuditWriterProcess.variable: folder.path("audit.log")], output: .pipe(output),
            errors: .file("/dev/null"))
        var said = try wait(for: 1, of: output)
        if let limit { said += try runOut(process, limit, output) }
        said += try wait(for: records, "durable", of: output)
        process.end()
        said += try output.read()
        return said.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, ["durable", "lost"].contains(words[0]) else { return nil }
            return (String(words[0]), String(words[1]))
        }
    }

    /// What a process reports while its files may not grow beyond `limit`, and once they may grow again. A process that
    /// is killed while it cuts off a line would leave a part of that line.
    private func runOut(_ process: Child, _ limit: Int, _ output: OutputPipe) throws -> String {
        func allow(_ bytes: String) throws {
            try Child.mustRun(["prlimit", "--pid", "\(process.identifier)", "--fsize=\(bytes):"])
        }
        try allow("\(limit)")
        let said = try wait(for: 100, "lost", of: output)
        try allow("unlimited")
        // More than one for each thread, because a thread may report an earlier record late.
        return try said + wait(for: 20, "durable", of: output)
    }

    /// What a process reports until it has reported `records` records with the word.
    private func wait(for records: Int, _ word: String = "", of output: OutputPipe) throws -> String {
        func isEnough(_ said: String) -> Bool { said.ranges(of: "\(word) request-").count >= records }
        let said = try output.read(until: isEnough)
        try #require(isEnough(said), "it ended")
        return said
    }

    @Test func `after repeated kills all durable records remain and the chain is unbroken`() throws {
        var counts: [String: Int] = [:]
        for round in 0..<8 {
            for (word, id) in try runAndKill(after: 10 + 17 * round) where word == "durable" {
                counts[id, default: 0] += 1
            }
        }
        #expect(counts.values.reduce(0, +) > 500)
        #expect(try AuditRecorder(folder.path("audit.log")).appendOne())
        let result = try verified([folder.bytes("audit.log")])
        #expect(result.verdict == "unbroken")
        var written: [String: Int] = [:]
        for line in try folder.lines("audit.log") {
            if let id = try object(line)["request_id"] as? String { written[id, default: 0] += 1 }
        }
        for (id, count) in counts { #expect(written[id, default: 0] >= count, "\(id)") }
    }

    @Test func `records beyond the file size limit are lost without torn lines`() throws {
        let said = try runAndKill(after: 20, limit: 65_536)
        let durable = said.filter { $0.word == "durable" }.map(\.id)
        #expect(!durable.isEmpty)
        let lost = said.filter { $0.word == "lost" }
        #expect(!lost.isEmpty)
        // Only the kill can have cut off the last line.
        let bytes = try folder.bytes("audit.log")
        let whole = bytes.prefix(through: try #require(bytes.lastIndex(of: UInt8(ascii: "\n"))))
        let result = verified([Array(whole)])
        #expect(result.verdict == "unbroken")
        #expect(result.tornPlaces == 0)
        #expect(result.lost >= lost.count)
        let written = try whole.split(separator: UInt8(ascii: "\n"))
            .compactMap { try object($0)["request_id"] as? String }
        #expect(Set(durable).isSubset(of: written))
    }
}
