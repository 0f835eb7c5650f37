import Glibc
import Testing

@testable import SystemFiles

@Suite struct SystemCallTests {
    /// A pipe whose ends do not block; closed with its owner.
    private final class Pipe {
        let reader: Int32
        let writer: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
            (reader, writer) = (ends[0], ends[1])
        }

        /// Reads what is available.
        func read() -> Int {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            return max(0, Glibc.read(reader, &buffer, buffer.count))
        }

        deinit {
            close(reader)
            close(writer)
        }
    }

    private static let bytes = [UInt8](repeating: 0x61, count: 300_000)

    @Test func `a call is repeated only while a signal interrupts it`() {
        var results: [(Int, Int32)] = [(-1, EINTR), (-1, EINTR), (-1, EIO), (1, 0)]
        let result = SystemCall.retryingEINTR {
            let (result, code) = results.removeFirst()
            errno = code
            return result
        }
        #expect(result == -1)
        #expect(errno == EIO)
        #expect(results.count == 1)
        #expect(SystemCall.retryingEINTR { 7 } == 7)
    }

    @Test func `a full pipe ends a write, with the number of bytes written`() throws {
        let pipe = try Pipe()
        let error = try #require(throws: IncompleteWrite.self) {
            try SystemCall.writeAll(Self.bytes, to: pipe.writer)
        }
        #expect(error.cause.predicate == "cannot be written: Resource temporarily unavailable")
        #expect(error.written > 0)
        #expect(error.written == pipe.read())
    }

    @Test func `a write continues after its reader caught up`() throws {
        let pipe = try Pipe()
        var read = 0
        try SystemCall.writeAll(Self.bytes, to: pipe.writer) {
            read += pipe.read()
            return true
        }
        #expect(read + pipe.read() == Self.bytes.count)
    }

    @Test func `a write to a full device or closed descriptor names the cause`() throws {
        for (path, reason) in [("/dev/full", "No space left on device"), ("", "Bad file descriptor")] {
            let descriptor = open(path, O_WRONLY)
            defer { close(descriptor) }
            let error = try #require(throws: IncompleteWrite.self) {
                try SystemCall.writeAll(Self.bytes, to: descriptor) { true }
            }
            #expect(error.written == 0)
            #expect(error.cause.predicate == "cannot be written: \(reason)")
        }
    }

    @Test func `a sent message arrives, and a gone peer is an error`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        #expect(SystemCall.send([1, 2, 3], by: ends[0]) == 3)
        var received = [UInt8](repeating: 0, count: 8)
        #expect(received.withUnsafeMutableBytes { SystemCall.receive(into: $0, from: ends[1]) } == 3)
        #expect(received.prefix(3) == [1, 2, 3])
        close(ends[1])
        #expect(SystemCall.send([4], by: ends[0]) == -1 && errno == EPIPE)
        #expect(SystemCall.sendTo(nil, 0, [4], by: ends[0]) == -1 && errno == EPIPE)
    }

    @Test func `bytes are read at an offset, and none after the end`() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let descriptor = fileno(file)
        try SystemCall.writeAll([1, 2, 3, 4], to: descriptor)
        #expect(SystemCall.syncContent(of: descriptor) && SystemCall.sync(descriptor))
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(bytes.withUnsafeMutableBytes { SystemCall.read(at: 1, into: $0, from: descriptor) } == 3)
        #expect(bytes.prefix(3) == [2, 3, 4])
        #expect(bytes.withUnsafeMutableBytes { SystemCall.read(at: 4, into: $0, from: descriptor) } == 0)
        #expect(!SystemCall.syncContent(of: -1) && !SystemCall.sync(-1))
    }

    @Test func `a descriptor is ready once there is something to read`() throws {
        let pipe = try Pipe()
        #expect(!SystemCall.isReady(pipe.reader, for: POLLIN, within: 0))
        #expect(SystemCall.isReady(pipe.writer, for: POLLOUT, within: 0))
        try SystemCall.writeAll([1], to: pipe.writer)
        #expect(SystemCall.isReady(pipe.reader, for: POLLIN, within: 0))
    }
}
