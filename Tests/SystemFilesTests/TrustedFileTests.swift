import Foundation
import Testing

@testable import SystemFiles

struct TrustedFileTests {
    private func error(_ path: String) -> TrustedFileError? {
        #expect(throws: TrustedFileError.self) { try TrustedFile(path: path, for: .callers) }
    }

    @Test(arguments: [
        ("/nowhere/file", "No such file or directory"), ("/nowhere", "No such file or directory"),
        ("/etc/passwd/file", "Not a directory"),
    ])
    func `a missing file or folder is distinguished from other errors`(path: String, reason: String) {
        #expect(error(path)?.isMissing == true)
        #expect(error(path)?.predicate == "cannot be opened: \(reason)")
    }

    @Test(arguments: [
        ("/etc", "is a directory; expected a file"), ("/etc/\(String(repeating: "a", count: 256))", nil as String?),
    ])
    func `a file that is unusable does not count as missing`(path: String, predicate: String?) {
        #expect(error(path)?.isMissing == false)
        #expect(predicate == nil || error(path)?.predicate == predicate)
    }

    @Test func `a named pipe that others can write is refused unread`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(mkfifo(path, 0o600) == 0)
        #expect(chmod(path, 0o622) == 0)
        #expect(
            error(path)?.predicate
                == "others can write this file and so let themselves in; expected chmod go-w")
        guard geteuid() == 0 else { return }
        #expect(chmod(path, 0o600) == 0)
        #expect(chown(path, 1001, 1001) == 0)
        #expect(error(path)?.predicate.hasPrefix("belongs to user 1001, who can write it and so") == true)
    }

    @Test(arguments: [
        ("keys/gone", "keys/old"), ("keys/old/x", "keys/old"), ("gone/old", "keys/old"), ("keys", "keys/old"),
    ])
    func `a path that leads to another file, or none, is refused`(path: String, opened: String) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "path-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: "\(root)/keys", withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(filePath: "\(root)/keys/old"))
        var status = stat()
        try #require(stat("\(root)/\(opened)", &status) == 0)
        #expect(TrustedPath.breach("\(root)/\(opened)", to: status, for: geteuid(), consequence: "c") == nil)
        #expect(
            TrustedPath.breach("\(root)/\(path)", to: status, for: geteuid(), consequence: "c")
                == "was replaced while it was read; expected a path that stays the same")
    }

    @Test func `another user's unreadable file names its owner and the cure`() throws {
        guard geteuid() == 0 else { return }
        let path = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("{}".utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o600) == 0)
        #expect(chown(path, 1001, 1001) == 0)
        // This thread opens files as that user, while the program remains root's.
        _ = setfsuid(65532)
        defer { _ = setfsuid(0) }
        let predicate = try #require(error(path)?.predicate)
        #expect(predicate.hasPrefix("belongs to user 1001, who can write it and so let themselves in; expected"))
        #expect(predicate.hasSuffix("change its owner, or run this as user 1001 (in a container, --user 1001)"))
    }

    @Test func `a pipe without a name is accepted from any user`() throws {
        let pipe = Pipe()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        if geteuid() == 0 { #expect(fchown(pipe.fileHandleForReading.fileDescriptor, 1001, 1001) == 0) }
        try pipe.fileHandleForWriting.write(contentsOf: Data("{}".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try TrustedFile(path: path, for: .callers).content == Array("{}".utf8))
    }
}

/// Changes, for this thread alone, which user opens files (setfsuid(2), which Swift does not import).
@_silgen_name("setfsuid")
private func setfsuid(_ user: uid_t) -> CInt
