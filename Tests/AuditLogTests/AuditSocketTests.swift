import Foundation
import TestSupport
import Testing

@testable import AuditLog

@Suite struct AuditSocketTests {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    /// A socket that receives datagrams; closed with its owner.
    private final class Listener {
        private let descriptor: Int32

        init(_ path: String) throws {
            unlink(path)
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }

        func receive() -> String {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }

        deinit { close(descriptor) }
    }

    @Test func `syslog receives each chained line with facility authpriv and severity info`() throws {
        let listener = try Listener(folder.path("log"))
        let log = AuditRecorder(AuditWriter(try AuditSocket(.syslog, path: folder.path("log"))), patience: .hour)
        #expect(log.appendAll(0..<3) == [true, true, true])
        let frame = "<86>token-provider[\(getpid())]: "
        let datagrams = (0..<4).map { _ in listener.receive() }
        #expect(datagrams.allSatisfy { $0.hasPrefix(frame + "{\"time\":\"") && !$0.contains("\n") })
        let lines = datagrams.map { $0.dropFirst(frame.count) + "\n" }.joined()
        #expect(verified([Array(lines.utf8)]).verdict == "unbroken")
    }

    @Test func `the journal receives each line in its native protocol`() throws {
        let listener = try Listener(folder.path("journal"))
        let log = AuditRecorder(AuditWriter(try AuditSocket(.journald, path: folder.path("journal"))), patience: .hour)
        #expect(log.appendOne(1))
        _ = listener.receive()
        let fields = listener.receive().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(fields.count == 4)
        #expect(fields[0...1] == ["PRIORITY=6", "SYSLOG_IDENTIFIER=token-provider"])
        #expect(fields[2].hasPrefix("MESSAGE={\"time\":\""))
        #expect(fields[2].contains("\"request_id\":\"request-1\""))
    }

    @Test func `records fail without a listener and succeed once one appears`() throws {
        let path = folder.path("log")
        let log = AuditRecorder(AuditWriter(try AuditSocket(.syslog, path: path)), patience: .hour)
        #expect(log.state == .failing("\(path): cannot be sent to: No such file or directory"))
        #expect(!log.appendOne(1))
        var listener: Listener? = try Listener(path)
        #expect(log.reaches(.writable))
        #expect(listener?.receive().contains("\"lost\":1") == true)
        listener = nil
        #expect(!log.appendOne(2))
        #expect(log.state == .failing("\(path): cannot be sent to: Connection refused"))
        listener = try Listener(path)
        #expect(log.appendOne(3))
        #expect(listener?.receive().contains("\"lost\":1") == true)
    }

    @Test func `a listener that does not read fails records by itself`() throws {
        let listener = try Listener(folder.path("log"))
        let log = AuditRecorder(AuditWriter(try AuditSocket(.syslog, path: folder.path("log"))))
        #expect(log.appendAll(0..<1000).contains(false))
        #expect(log.state != .writable)
        _ = listener.receive()
    }

    @Test(arguments: ["", String(repeating: "x", count: 108)])
    func `a path that cannot be a socket is refused`(path: String) {
        #expect(throws: AuditError(place: path, problem: "is not a socket path; expected 1 to 107 bytes")) {
            AuditWriter(try AuditSocket(.syslog, path: path))
        }
    }
}
