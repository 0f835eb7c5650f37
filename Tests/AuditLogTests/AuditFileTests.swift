import TestSupport
import Foundation
import Testing

@testable import AuditLog

@Suite struct AuditFileTests {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    private func problem(_ path: String) -> String {
        do throws(AuditError) {
            _ = try AuditWriter(path: path)
            return "accepted"
        } catch {
            return error.description
        }
    }

    @Test func `a new file is owner-only, and SHA-256 hashes chain its lines`() throws {
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.appendAll(0..<3) == [true, true, true])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("audit.log"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let lines = try folder.lines("audit.log")
        #expect(lines.count == 4)
        var previous = String(repeating: "0", count: 64)
        for (index, line) in lines.enumerated() {
            let members = try object(line)
            #expect(members["seq"] as? Int == index + 1)
            #expect(members["prev"] as? String == previous)
            let covered = line.dropLast(#","hash":""}"#.utf8.count + 64)
            previous = String(try Child.mustRun(["sha256sum", folder.write("line", covered)]).prefix(64))
            #expect(members["hash"] as? String == previous)
        }
        #expect(try object(lines[0])["event"] as? String == "opened")
        #expect(try verified([folder.bytes("audit.log")], expected: [previous]).verdict == "unbroken")
    }

    @Test func `after a restart the chain continues with a resumed line`() throws {
        for round in 0..<3 { #expect(try AuditRecorder(folder.path("audit.log")).appendOne(round)) }
        let events = try folder.lines("audit.log").map { try object($0)["event"] as? String ?? "record" }
        #expect(events == ["opened", "record", "resumed", "record", "resumed", "record"])
        #expect(try verified([folder.bytes("audit.log")]).verdict == "unbroken")
    }

    @Test func `a restart removes and reports a line cut off by a crash`() throws {
        #expect(try AuditRecorder(folder.path("audit.log")).appendAll(0..<2) == [true, true])
        let whole = try folder.bytes("audit.log")
        let lines = try folder.lines("audit.log")
        let start = whole.count - lines[2].count - 1
        for size in Array(stride(from: start + 1, to: whole.count - 1, by: 7)) + [whole.count - 1] {
            let path = try folder.write("torn.log", whole[..<size])
            #expect(verified([Array(whole[..<size])]).verdict == "torn file 1:3")
            #expect(try AuditRecorder(path).appendOne(7))
            let result = try verified([folder.bytes("torn.log")])
            #expect(result.verdict == "unbroken")
            #expect(result.tornPlaces == 1)
            #expect(try object(folder.lines("torn.log")[2])["cut"] as? Int == size - start)
        }
        for size in stride(from: 1, to: lines[0].count, by: 7) {
            #expect(try AuditRecorder(folder.write("torn.log", whole[..<size])).appendOne(7))
            #expect(try verified([folder.bytes("torn.log")]).verdict == "unbroken")
        }
        let zeros = [UInt8](repeating: 0, count: 4096)
        #expect(try AuditRecorder(folder.write("torn.log", whole + zeros)).appendOne(7))
        #expect(try verified([folder.bytes("torn.log")]).verdict == "unbroken")
    }

    @Test(arguments: ["hello", "hello\n", "{\"time\":\"now\"}\n", "\n", "{\n  \"type\": \"service_account\"\n}\n"])
    func `a file that is not an audit log is refused and unchanged`(content: String) throws {
        let path = try folder.write("notes.txt", content.utf8)
        #expect(
            problem(path) == "\(path): does not end with an audit record; expected an audit file, an empty file or none"
        )
        #expect(try folder.bytes("notes.txt").elementsEqual(content.utf8))
    }

    @Test func `a path that cannot store records is refused without blocking`() throws {
        let path = folder.path("audit.log")
        #expect(problem(folder.folder.path) == "\(folder.folder.path): cannot be opened: Is a directory")
        #expect(
            problem("\(path)/x")
                == "\(path)/x: is in a folder that does not exist; expected one that the daemon can write to")
        let regular = "expected a regular file, which can be on stable storage"
        try Child.mustRun(["mkfifo", folder.path("fifo")])
        #expect(problem(folder.path("fifo")) == "\(folder.path("fifo")): is a FIFO; \(regular)")
        #expect(problem("/dev/full") == "/dev/full: is a device; \(regular)")
        let loose = try folder.write("loose.log", [])
        for mode in ["620", "602", "666"] {
            try Child.mustRun(["chmod", mode, loose])
            #expect(
                problem(loose) == "\(loose): others can write this file and so change the record; "
                    + "expected chmod go-w, or better chmod 600")
        }
    }

    @Test func `a file on a read-only file system is refused`() throws {
        let readOnly = try Scratch(tmpfs: "size=64k,ro")
        #expect(
            problem(readOnly.path("audit.log"))
                == "\(readOnly.path("audit.log")): cannot be opened: Read-only file system")
    }

    @Test func `a file locked by another writer is refused until it is released`() throws {
        let path = folder.path("audit.log")
        var log: AuditRecorder? = try AuditRecorder(path)
        #expect(log?.appendOne() == true)
        #expect(problem(path) == "\(path): another process is writing this file; expected a file for each")
        _ = log?.flushed()
        log = nil
        let said = try OutputPipe()
        let holder = try Child(hold(path, "r+b", "fcntl.lockf(file, fcntl.LOCK_EX)"), output: .pipe(said))
        #expect(try said.read { $0.contains("\n") } == "held\n")
        #expect(problem(path) == "\(path): another process is writing this file; expected a file for each")
        holder.end()
        #expect(problem(path) == "accepted")
    }

    @Test(arguments: ["fcntl.flock(file, fcntl.LOCK_EX)", "fcntl.lockf(file, fcntl.LOCK_SH)"])
    func `locks that a reader may take do not stop the daemon`(lock: String) throws {
        let path = folder.path("audit.log")
        #expect(problem(path) == "accepted")
        let said = try OutputPipe()
        let holder = try Child(hold(path, "rb", lock), output: .pipe(said))
        #expect(try said.read { $0.contains("\n") } == "held\n")
        #expect(problem(path) == "accepted")
        holder.end()
    }

    @Test func `a second writer beside a reader's lock is noticed`() throws {
        let path = folder.path("audit.log")
        #expect(problem(path) == "accepted")
        let said = try OutputPipe()
        let holder = try Child(hold(path, "rb", "fcntl.lockf(file, fcntl.LOCK_SH)"), output: .pipe(said))
        #expect(try said.read { $0.contains("\n") } == "held\n")
        let (first, second) = (try AuditRecorder(path), try AuditRecorder(path))
        #expect(!first.appendOne())
        #expect(second.appendOne())
        #expect(try verified([folder.bytes("audit.log")]).verdict == "unbroken")
        holder.end()
        #expect(second.appendOne())
        #expect(!first.appendOne() && !first.appendOne())
        #expect(try verified([folder.bytes("audit.log")]).verdict == "unbroken")
    }

    /// A program that opens a file, locks it, and says so.
    private func hold(_ path: String, _ mode: String, _ lock: String) -> [String] {
        let script =
            "import fcntl, signal, sys; file = open(sys.argv[1], sys.argv[2]); \(lock); "
            + "print('held', flush=True); signal.pause()"
        return ["python3", "-c", script, path, mode]
    }

    @Test func `another user's file is refused, except when root only checks it`() throws {
        let path = try folder.write("audit.log", [])
        try Child.mustRun(["chmod", "600", path])
        let owner = geteuid() == 0 ? 1001 : geteuid()
        if geteuid() == 0 { #expect(chown(path, owner, owner) == 0) }
        func refusal(_ user: uid_t) -> String? {
            do throws(AuditError) {
                try AuditFile.check(path, as: user)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(
            refusal(owner + 1)
                == "\(path): belongs to user \(owner), who can write it and so change the record; expected a file of root or of "
                + "user \(owner + 1), who runs this; change its owner, or run this as user \(owner) "
                + "(in a container, --user \(owner))")
        #expect(refusal(owner) == nil)
        // Root checks on behalf of the user that owns the file.
        #expect(refusal(0) == nil)
        if geteuid() == 0 { #expect(problem(path).contains("belongs to user 1001")) }
    }

    @Test func `a removed file accepts no records until the name is reopened`() throws {
        let log = try AuditRecorder(folder.path("audit.log"))
        #expect(log.appendOne(1))
        try FileManager.default.removeItem(atPath: folder.path("audit.log"))
        #expect(!log.appendOne(2))
        #expect(
            log.state
                == .failing(
                    "\(folder.path("audit.log")): was removed; expected it to be renamed, and SIGHUP to be sent then"))
        #expect(log.reopenNow() == nil)
        #expect(log.appendOne(3))
        #expect(log.state == .writable)
        let lines = try folder.lines("audit.log")
        let header = try object(lines[0])
        #expect(header["event"] as? String == "opened")
        #expect(header["lost"] as? Int == 1)
        #expect(header["seq"] as? Int == 3)
        #expect(try object(lines[1])["request_id"] as? String == "request-3")
    }
}
