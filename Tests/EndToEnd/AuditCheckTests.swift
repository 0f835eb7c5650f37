import TestSupport
import Foundation
import Testing

/// `token-provider check` of the audit file that `serve` would write: same message, no file created or changed.
@Suite(.blocking) struct AuditCheckTests {
    let files: CallerFiles

    init() throws {
        files = try CallerFiles()
        _ = try files.apiKey("dispatch")
    }

    private func configuration(_ file: String) throws -> String {
        try files.configuration(
            """
            rules:
              - {name: dispatch, kinds: [consumer], api_keys: [dispatch], ids: {tripID: any}}
            audit: {output: file, file: \(file)}
            """)
    }

    /// Runs `check` for an audit file, under another program if one is given.
    private func check(_ file: String, by program: [String] = []) throws -> Outcome {
        let command = program + [Program.daemon, "check", "--config", try configuration(file)]
        return try Program.run("env", command)
    }

    private func folder(_ name: String, permissions: Int = 0o700) throws -> String {
        let path = files.scratch.path(name)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
        return path
    }

    @Test func `check neither creates a missing audit file nor changes an existing one`() throws {
        #expect(try check("audit").status == 0)
        #expect(!FileManager.default.fileExists(atPath: files.scratch.path("audit")))
        let daemon = try DaemonProcess(["serve", "--config", configuration("audit")], scratch: files.scratch)
        let text = try files.scratch.text("audit")
        #expect(!text.isEmpty)
        // The running daemon holds the file.
        #expect(try check("audit").status == 0)
        #expect(try daemon.end() == 0)
        #expect(try files.scratch.text("audit") == text)
        // Only `serve` cuts off the partial line that a crash leaves.
        try files.scratch.write("audit", text + #"{"time":"20"#)
        #expect(try check("audit").status == 0)
        #expect(try files.scratch.text("audit") == text + #"{"time":"20"#)
    }

    @Test func `check refuses an audit file with the same message as serve`() throws {
        _ = try folder("folder")
        try files.scratch.write("shared", "", permissions: 0o620)
        try files.scratch.write("notes", "unrelated notes\n")
        for place in ["nowhere/audit", "folder", "shared", "notes", "/dev/null", "keys.json/audit"] {
            let checked = try check(place)
            #expect(checked.status == 78)
            #expect(checked.sentences.count == 1)
            let served = try Program.run(
                "timeout", ["600", Program.daemon, "serve", "--config", configuration(place)])
            #expect(served.sentences == checked.sentences, "\(place)")
        }
        #expect(
            try check("nowhere/audit").sentences == [
                "audit.file: \(files.scratch.path("nowhere/audit")): is in a folder that does not exist; expected one that the "
                    + "daemon can write to"
            ])
    }

    @Test func `a folder or file without write permission is refused`() throws {
        let closed = try folder("closed", permissions: 0o500)
        try files.scratch.write("readable", "", permissions: 0o400)
        // In a user namespace root has no rights over these files.
        for place in ["\(closed)/audit", files.scratch.path("readable")] {
            let outcome = try check(place, by: ["unshare", "-U"])
            #expect(outcome.status == 78)
            #expect(outcome.sentences == ["audit.file: \(place): cannot be opened: Permission denied"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: closed).isEmpty)
    }

    @Test func `a read-only file system is refused, with or without the file`() throws {
        let mounted = try folder("mounted")
        for before in ["true", "touch \"$0/audit\" && chmod 600 \"$0/audit\""] {
            let mount = "mount -t tmpfs tmpfs \"$0\" && \(before) && mount -o remount,ro \"$0\" && exec \"$@\""
            let outcome = try check("\(mounted)/audit", by: ["unshare", "-rm", "sh", "-c", mount, mounted])
            #expect(outcome.status == 78)
            #expect(outcome.sentences == ["audit.file: \(mounted)/audit: cannot be opened: Read-only file system"])
        }
    }

    @Test func `with --json the audit error is in the errors`() throws {
        let config = try configuration("nowhere/audit")
        let json = try Program.run(Program.daemon, ["check", "--config", config, "--json"]).json()
        #expect(json["starts"] as? Bool == false)
        #expect((json["errors"] as? [String])?.count == 1)
    }
}
