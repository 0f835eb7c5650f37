import TestSupport
import Foundation
import Testing

/// The real binary when its audit log cannot be written or the daemon is killed: no token leaves without its record,
/// and no request hangs.
@Suite(.blocking) struct AuditFaultTests {
    let files: CallerFiles
    let key: String

    init() throws {
        files = try CallerFiles()
        key = try files.apiKey("dispatch")
    }

    @Test func `serve refuses a device, FIFO, folder or shared file as audit file`() throws {
        try Program.mustRun("mkfifo", [files.scratch.path("fifo")])
        try Program.mustRun("mkdir", [files.scratch.path("folder")])
        try files.scratch.write("shared", "", permissions: 0o666)
        for (place, words) in [
            ("/dev/full", "a device"), ("/dev/null", "a device"), ("fifo", "FIFO"), ("folder", "directory"),
            ("shared", "others can write"), ("none/audit", "a folder that does not exist"),
            ("/proc/audit", "cannot be opened"),
            ("keys.json", "expected"),
        ] {
            let outcome = try Program.run(
                "timeout", ["600", Program.daemon, "serve", "--config", configuration(place)])
            #expect(outcome.status != 0 && outcome.status != 124, "\(place): \(outcome.status)")
            #expect(outcome.sentences.count == 1 && outcome.errors.contains(words), "\(place): \(outcome.errors)")
            #expect(!outcome.output.contains("listening"))
        }
    }

    @Test func `an audit file on a read-only file system prevents the start`() throws {
        let folder = try mountPoint()
        let mount = ["-rm", "sh", "-c", "mount -t tmpfs -o ro tmpfs \"$0\" && exec \"$@\"", folder]
        let serve = ["timeout", "600", Program.daemon, "serve", "--config", try configuration("\(folder)/audit")]
        let outcome = try Program.run("unshare", mount + serve)
        #expect(outcome.status == 1)
        #expect(outcome.sentences == ["audit.file: \(folder)/audit: cannot be opened: Read-only file system"])
    }

    @Test func `closed or discarded standard output is refused as audit output`() throws {
        let configuration = try files.configuration("\(Self.rules)\naudit: {output: stdout}")
        for redirection in [">&-", ">/dev/null"] {
            let outcome = try Program.run(
                "timeout",
                [
                    "600", "sh", "-c", "exec \"$@\" \(redirection)", "sh", Program.daemon, "serve", "--config",
                    configuration,
                ])
            #expect(outcome.status == 1)
            #expect(
                outcome.sentences == [
                    "audit.output: standard output: is closed, or /dev/null, which keeps nothing; expected a collector"
                ])
        }
    }

    @Test func `a daemon stopped with a blocked audit log reports missing records`() throws {
        let daemon = try stuckDaemon(files.scratch.path("fifo"))
        daemon.process.send(SIGTERM)
        let log = try daemon.restOfOutput()
        #expect(try daemon.process.wait() == 0)
        #expect(log.contains("error the audit log may lack its last records"))
        #expect(!log.contains("the audit log ends last_hash"))
    }

    @Test func `with reused: false, a token without a stored record stays refused`()
        throws
    {
        let folder = try mountPoint()
        let mount = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=128k tmpfs \"$0\" && exec \"$@\"", folder]
        let quiet = try files.configuration(
            "\(Self.rules)\naudit: {output: file, file: \(folder)/audit, reused: false}")
        let daemon = try DaemonProcess(under: mount, ["serve", "--config", quiet], scratch: files.scratch)
        let inside = "/proc/\(daemon.process.identifier)/root\(folder)"
        #expect(try ask(daemon, "cached").status == 200)
        _ = try Program.run("dd", ["if=/dev/zero", "of=\(inside)/ballast", "bs=4k"])
        var refused = 0
        for number in 1...400 where try ask(daemon, "full-\(refused == 0 ? number : 0)").status == 503 { refused += 1 }
        #expect(refused > 1)
        for _ in 1...3 { #expect(try ask(daemon, "full-0").status == 503) }
        // This token's record was stored.
        #expect(try ask(daemon, "cached").status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test func `a full disk blocks tokens at once until space is free again`() throws {
        let folder = try mountPoint()
        let mount = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=128k tmpfs \"$0\" && exec \"$@\"", folder]
        let daemon = try DaemonProcess(
            under: mount, ["serve", "--config", configuration("\(folder)/audit")], environment: DaemonProcess.withAdmin,
            scratch: files.scratch)
        // The mount is visible only in the daemon's mount namespace.
        let inside = "/proc/\(daemon.process.identifier)/root\(folder)"
        #expect(try ask(daemon, "cached").status == 200)
        try expectReadiness(daemon, 200, audit: "ok")
        _ = try Program.run("dd", ["if=/dev/zero", "of=\(inside)/ballast", "bs=4k"])
        // Refusals and tokens fill the rest of the last page.
        var refused = try ask(daemon, "full-0")
        for number in 1...200 where refused.status == 200 { refused = try ask(daemon, "full-\(number)") }
        for trip in ["full", "cached"] { try expectUnavailable(daemon, trip) }
        try expectReadiness(daemon, 503, audit: "\(folder)/audit: cannot be written: No space left on device")
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 401)
        try FileManager.default.removeItem(atPath: "\(inside)/ballast")
        try waitForTokens(daemon)
        try expectReadiness(daemon, 200, audit: "ok")
        let outcome = try Program.run(Program.daemon, ["audit", "verify", "--json", "\(inside)/audit"])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(try #require(try outcome.json()["lost_records"] as? Int) > 0)
        #expect(try daemon.end() == 0)
        #expect(try daemon.log().contains("No space left on device"))
    }

    @Test func `an open audit file prevents a read-only remount, and tokens continue`() throws {
        let folder = try mountPoint()
        let mount = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=128k tmpfs \"$0\" && exec \"$@\"", folder]
        let daemon = try DaemonProcess(
            under: mount, ["serve", "--config", configuration("\(folder)/audit")], scratch: files.scratch)
        let inside = ["-t", "\(daemon.process.identifier)", "-U", "-m", "--preserve-credentials"]
        let outcome = try Program.run("nsenter", inside + ["mount", "-o", "remount,ro", folder])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("busy"))
        #expect(try ask(daemon, "cached").status == 200)
        #expect(try daemon.end() == 0)
    }

    @Test func `a file system turned read-only blocks tokens until it recovers`()
        throws
    {
        let daemon = try DaemonProcess(
            ["serve", "--config", configuration("audit")], environment: DaemonProcess.withAdmin, scratch: files.scratch)
        #expect(try ask(daemon, "cached").status == 200)
        let fault = try Child(
            ["strace", "-f", "-p", "\(daemon.process.identifier)", "-o", files.scratch.path("calls"), "-e"]
                + ["trace=fdatasync,ftruncate", "-e", "inject=fdatasync,ftruncate:error=EROFS"])
        try Patience.wait(for: "the fault") { try ask(daemon, "cached").status == 503 }
        for trip in ["new", "cached"] { try expectUnavailable(daemon, trip) }
        try expectReadiness(
            daemon, 503, audit: "\(files.scratch.path("audit")): cannot be synchronized: Read-only file system")
        fault.send(SIGINT)
        _ = try fault.wait()
        try waitForTokens(daemon)
        try expectReadiness(daemon, 200, audit: "ok")
        #expect(try daemon.end() == 0)
        #expect(try files.verifyAudit().status == 0)
    }

    @Test func `an unread FIFO blocks tokens, and they resume once it is read`() throws {
        let fifo = files.scratch.path("fifo")
        let daemon = try stuckDaemon(fifo)
        try expectUnavailable(daemon, "unread")
        let reader = try FileHandle(forReadingFrom: URL(filePath: fifo))
        let reading = Thread { while !reader.availableData.isEmpty {} }
        reading.start()
        try waitForTokens(daemon)
        #expect(try daemon.end() == 0)
    }

    @Test func `kill -9 under load loses no record of a received token`() throws {
        let facts = try PythonClients.run(
            "audit_crash.py", [Program.daemon, configuration("audit"), key, "12"])
        #expect(try #require(facts["received"] as? Int) > 500)
        let outcome = try files.verifyAudit()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(try outcome.json()["unbroken"] as? Bool == true)
    }

    @Test func `rotation by SIGHUP under load loses no record and continues the chain`() throws {
        let facts = try PythonClients.run(
            "audit_rotation.py", [Program.daemon, configuration("audit"), key, "6"])
        let names = try #require(facts["files"] as? [String])
        #expect(names.count == 7)
        let outcome = try files.verifyAudit(names)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(try outcome.json()["lost_records"] as? Int == 0)
        #expect(try files.verifyAudit(names.reversed()).status == 1)
    }

    @Test func `a second daemon is refused the audit file of the first`() throws {
        let configuration = try configuration("audit")
        let daemon = try DaemonProcess(["serve", "--config", configuration], scratch: files.scratch)
        let outcome = try Program.run("timeout", ["600", Program.daemon, "serve", "--config", configuration])
        #expect(outcome.status == 1)
        #expect(outcome.sentences.first?.contains("another process is writing this file") == true)
        #expect(try ask(daemon, "a").status == 200)
    }

    // MARK: -

    private static let rules = """
        rules:
          - {name: dispatch, kinds: [consumer], api_keys: [dispatch], ids: {tripID: any}}
        limits: {principal_rate: 0}
        log: {level: notice}
        """

    private func configuration(_ place: String) throws -> String {
        try files.configuration("\(Self.rules)\naudit: {output: file, file: \(place)}")
    }

    /// A daemon whose audit log goes to a full FIFO without a reader.
    private func stuckDaemon(_ fifo: String) throws -> DaemonProcess {
        try Program.mustRun("mkfifo", [fifo])
        let configuration = try files.configuration("\(Self.rules)\naudit: {output: stdout}")
        // Opened for reading too, since opening it only for writing would wait for a reader.
        let daemon = try DaemonProcess(
            redirecting: "2>&1 1<>'\(fifo)'", ["serve", "--config", configuration], scratch: files.scratch)
        var status = 200
        for number in 0..<1000 where status == 200 { status = try ask(daemon, "unread-\(number)").status }
        #expect(status == 503)
        return daemon
    }

    private func mountPoint() throws -> String {
        let folder = files.scratch.path("mounted")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private func ask(_ daemon: DaemonProcess, _ trip: String) throws -> Curl {
        try Curl("\(daemon.url)/token?tripID=\(trip)", bearer: key)
    }

    private func expectUnavailable(_ daemon: DaemonProcess, _ trip: String) throws {
        let answer = try ask(daemon, trip)
        #expect(answer.status == 503)
        #expect(answer.fields["retry-after"] == "5")
        #expect(try answer.json()["code"] as? String == "audit_unavailable")
        #expect(!answer.body.contains("eyJ"))
    }

    private func expectReadiness(_ daemon: DaemonProcess, _ status: Int, audit: String) throws {
        let answer = try Curl("\(daemon.adminURL())/readyz")
        #expect(answer.status == status)
        let json = try answer.json()
        #expect(json["ready"] as? Bool == (status == 200))
        #expect(json["checks"] as? [String: String] == ["signing": "ok", "audit": audit, "serving": "ok"])
    }

    /// The daemon retries its audit log each second.
    private func waitForTokens(_ daemon: DaemonProcess) throws {
        try Patience.wait(for: "a token") { try ask(daemon, "again").status == 200 }
    }
}
