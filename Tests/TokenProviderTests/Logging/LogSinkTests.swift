import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

@testable import ServiceConfiguration
@testable import TokenProvider

@Suite struct LogSinkTests {
    @Test func `lines from several threads arrive whole and in order`() {
        let pipe = LogPipe()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<500 { pipe.append("\(thread) \(number)") }
        }
        let lines = pipe.readToEnd().split(separator: "\n")
        #expect(lines.count == 4000)
        for thread in 0..<8 {
            let numbers = lines.filter { $0.hasPrefix("\(thread) ") }
            #expect(numbers.elementsEqual((0..<500).map { "\(thread) \($0)" }, by: ==))
        }
    }

    @Test func `a line arrives without a flush`() {
        let pipe = LogPipe()
        pipe.append("hello")
        #expect(pipe.readSome() == "hello\n")
        // The sink must finish before the pipe is closed.
        pipe.sink.flush()
    }

    @Test func `a logger's own metadata and level are those of its lines`() {
        let pipe = LogPipe()
        var logger = Logger(label: "test") { _ in DaemonLogHandler(Configuration.Log(), sink: pipe.sink) }
        logger[metadataKey: "account"] = "a"
        #expect(logger[metadataKey: "account"] == "a")
        logger.logLevel = .warning
        logger.info("not written")
        logger.warning("written", metadata: ["kind": "driver"])
        pipe.sink.flush()
        #expect(pipe.readSome().hasSuffix(" warning written account=a kind=driver\n"))
    }

    @Test(arguments: [false, true], [Configuration.Log.Format.text, .json])
    func `an unread pipe does not block; lines are written later or counted`(
        isNonblocking: Bool, format: Configuration.Log.Format
    ) throws {
        let pipe = LogPipe(format: format, isNonblocking: isNonblocking)
        let padding = String(repeating: "x", count: 1000)
        // Four times the sink's capacity, so that many lines are dropped whenever writing begins.
        let lines = 4 * LogSink.capacity / 1000
        for number in 0..<lines { pipe.append("line \(number) \(padding)") }
        // It does not wait for a reader.
        pipe.sink.flush()
        let written = pipe.readToEnd().split(separator: "\n")
        let arrived = written.filter { $0.hasPrefix("line ") }
        let counts = written.filter { !$0.hasPrefix("line ") }
        #expect(arrived.allSatisfy { $0.hasSuffix(padding) })
        // The oldest lines are the ones that were not dropped.
        #expect(arrived.first?.hasPrefix("line 0 ") == true)
        let dropped = try counts.map { try droppedLines($0, format) }.reduce(0, +)
        #expect(dropped > lines / 4)
        #expect(arrived.count + dropped == lines)
    }

    /// The count in a warning about dropped lines, in the log's format.
    private func droppedLines(_ line: Substring, _ format: Configuration.Log.Format) throws -> Int {
        let message = "log lines were dropped: the log's reader is too slow"
        if format == .json {
            let json = try object(line.utf8)
            #expect(json["level"] as? String == "warning")
            #expect(json["message"] as? String == message)
            return try #require(json["count"] as? Int)
        }
        let parts = line.components(separatedBy: "Z warning \(message) count=")
        try #require(parts.count == 2, "\(line)")
        return try #require(Int(parts[1]))
    }
}
