import Dispatch
import Foundation
import Testing

@testable import SystemFiles

@Suite struct SystemFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path

    /// What a pipe of this name holds for its reader, while a thread of its own writes to it.
    private func read(atMost limit: Int, _ write: @escaping @Sendable (FileHandle) throws -> Void) throws -> [UInt8] {
        #expect(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let url = URL(filePath: path)
        let written = DispatchSemaphore(value: 0)
        DispatchQueue(label: "writer").async {
            // Opening waits for the reader.
            if let handle = try? FileHandle(forWritingTo: url) {
                try? write(handle)
                try? handle.close()
            }
            written.signal()
        }
        defer { written.wait() }
        return try SystemFile(path: path).read(atMost: limit)
    }

    @Test func `a pipe is read to the end that its writer makes, though it comes in pieces`() throws {
        let bytes = try read(atMost: 1 << 20) { handle in
            for _ in 0..<5 {
                try handle.write(contentsOf: Data(repeating: 0x61, count: 50_000))
                usleep(10_000)
            }
        }
        #expect(bytes == [UInt8](repeating: 0x61, count: 250_000))
    }

    @Test func `a writer that takes longer than a missing one is given is waited for`() throws {
        let bytes = try read(atMost: 100) { handle in
            usleep(1_500_000)
            try handle.write(contentsOf: Data("late".utf8))
        }
        #expect(bytes == Array("late".utf8))
    }

    @Test func `no more is read than was asked for`() throws {
        let bytes = try read(atMost: 10) { handle in try handle.write(contentsOf: Data("twelve bytes".utf8)) }
        #expect(bytes == Array("twelve byt".utf8))
    }

    @Test func `an empty file is empty, and a pipe whose writer says nothing is told apart`() throws {
        #expect(try SystemFile(path: "/dev/null").read(atMost: 10).isEmpty)
        #expect(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: SystemFileError.self) { try SystemFile(path: path).read(atMost: 10) }
        #expect(error?.predicate == "cannot be read: nobody writes to this pipe")
    }
}
