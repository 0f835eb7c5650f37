import TestSupport
import Foundation
import Testing

/// The real binary under a service manager such as systemd.
@Suite(.blocking) struct SystemdTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    @Test(arguments: ["path", "abstract"])
    func `the service manager is notified of start, watchdog, reload and stop`(kind: String) throws {
        let name = kind == "path" ? scratch.path("notify") : "@token-provider-\(UUID().uuidString)"
        let facts = try PythonClients.run(
            "service_states.py", [Program.daemon, key.path, scratch.folder.path, name])
        let serving = "Serving: 0 connections open, 0 tokens signed, 0 cached"
        #expect(facts["ready"] as? String == serving)
        #expect(facts["lives"] as? [String] == [serving, serving, serving])
        #expect(facts["reloaded"] as? String == serving)
        #expect(
            facts["refused"] as? String
                == "\(serving); not reloaded: \(key.path): cannot be opened: No such file or directory")
        #expect(facts["stopping"] as? String == "Draining")
        #expect(facts["status"] as? Int == 0)
    }

    @Test func `a NOTIFY_SOCKET that is not a socket address is an error`() throws {
        let outcome = try Program.run(
            Program.daemon, ["serve", "--credentials", key.path], environment: ["NOTIFY_SOCKET": "nowhere"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "token-provider: NOTIFY_SOCKET: \"nowhere\" is neither a path nor @ and a name: Invalid argument\n")
    }

    @Test func `restarts with an inherited socket refuse and lose no request`() throws {
        let facts = try PythonClients.run(
            "socket_restart.py", [Program.daemon, key.path, scratch.folder.path, "24", "6"])
        #expect(facts["refused"] as? Int == 0)
        #expect(facts["lost"] as? Int == 0)
        #expect(facts["answered_otherwise"] as? Int == 0)
        #expect(try #require(facts["answered"] as? Int) >= 3500)
    }

    @Test func `a daemon allows no core dumps, no debugger and no new privileges`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let folder = "/proc/\(daemon.process.identifier)/"
        let limits = try String(contentsOfFile: "\(folder)limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 /#))
        let status = try String(contentsOfFile: "\(folder)status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1\n"))
        // proc(5): root owns the files of a process that is not dumpable, whatever its user.
        #expect(try FileManager.default.attributesOfItem(atPath: "\(folder)environ")[.ownerAccountID] as? Int == 0)
        #expect(try daemon.end(by: SIGABRT) == -SIGABRT)
    }

    @Test(arguments: ["text", "json"])
    func `log lines start with their priority only when the journal reads them`(format: String) throws {
        let file = try scratch.write("daemon.log", "")
        var status = stat()
        #expect(stat(file, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        let flags = ["--log-format", format]
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, flags: flags, environment: ["JOURNAL_STREAM": stream])
        #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        #expect(try daemon.end() == 0)
        let lines = try daemon.log().split(separator: "\n")
        if format == "text" { #expect(lines.allSatisfy { $0.contains(/^<[456]>[a-z]/) }) }
        #expect(lines.filter { $0.contains("request") && $0.contains("200") }.allSatisfy { $0.hasPrefix("<6>") })
        #expect(lines.filter { $0.contains("drain") || $0.contains("stopped") }.allSatisfy { $0.hasPrefix("<5>") })
        #expect(lines.count >= 3)
        let other = try DaemonProcess(
            scratch: scratch, key: key, flags: flags, environment: ["JOURNAL_STREAM": "1:1"])
        #expect(try other.end() == 0)
        #expect(try !other.log().contains("<5>"))
    }

    @Test func `a startup failure is an error in the journal`() throws {
        let file = try scratch.write("errors", "")
        var status = stat()
        #expect(stat(file, &status) == 0)
        let process = try Child(
            [Program.daemon, "serve", "--credentials", "/nowhere"],
            environment: ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)", "TOKEN_PROVIDER_CALLERS": "none"],
            errors: .file(file))
        #expect(try process.wait() == 78)
        #expect(
            try scratch.text("errors")
                == "<3>/nowhere: cannot be opened: No such file or directory\n")
    }
}
