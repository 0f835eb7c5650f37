import TestSupport
import Dispatch
import Foundation
import Testing

@testable import SystemFiles

@Suite struct SystemFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path

    /// What is read from a named pipe while another thread writes to it.
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

    /// Whether everything that was written to a pipe has been read.
    private static func isEmpty(_ pipe: FileHandle) -> Bool {
        var unread: Int32 = 0
        return ioctl(pipe.fileDescriptor, UInt(FIONREAD), &unread) == 0 && unread == 0
    }

    @Test func `a pipe written in pieces is read to its end`() throws {
        let bytes = try read(atMost: 1 << 20) { handle in
            for _ in 0..<5 {
                try handle.write(contentsOf: Data(repeating: 0x61, count: 50_000))
                try Patience.wait(for: "the pipe to be read") { Self.isEmpty(handle) }
            }
        }
        #expect(bytes == [UInt8](repeating: 0x61, count: 250_000))
    }

    @Test func `a slow writer is waited for longer than a missing one`() throws {
        let unwritten = "\(path)-unwritten"
        #expect(mkfifo(unwritten, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: unwritten) }
        let bytes = try read(atMost: 100) { handle in
            // Each of these reads takes as long as a missing writer is waited for.
            for _ in 1...2 {
                #expect(throws: SystemFileError.self) { try SystemFile(path: unwritten).read(atMost: 1) }
            }
            try handle.write(contentsOf: Data("late".utf8))
        }
        #expect(bytes == Array("late".utf8))
    }

    @Test func `a pipe that is not ended in time is refused`() throws {
        #expect(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        for written in ["", "some"] {
            #expect(write(writer, written, written.utf8.count) == written.utf8.count)
            let error = #expect(throws: SystemFileError.self) {
                try SystemFile(path: path).read(atMost: 10, within: 20)
            }
            #expect(
                error?.predicate == "cannot be read: the program that writes to this pipe has not ended it in time")
        }
    }

    @Test func `no more bytes are read than requested`() throws {
        let bytes = try read(atMost: 10) { handle in try handle.write(contentsOf: Data("twelve bytes".utf8)) }
        #expect(bytes == Array("twelve byt".utf8))
    }

    @Test func `an empty file is accepted, a pipe without a writer is refused`() throws {
        #expect(try SystemFile(path: "/dev/null").read(atMost: 10).isEmpty)
        #expect(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: SystemFileError.self) { try SystemFile(path: path).read(atMost: 10) }
        #expect(error?.predicate == "cannot be read: no program writes to this pipe")
    }
}
