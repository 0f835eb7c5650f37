import ChildProcess
import Foundation
import Testing

/// What the real binary and a service manager are to each other.
@Suite struct SystemdTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    /// The command that gives a daemon descriptors by name.
    private func giving(_ descriptors: [String]) -> [String] {
        ["python3", PythonClients.path("socket_activation.py")] + descriptors + ["--"]
    }

    private func daemon(
        inheriting descriptors: [String], _ flags: [String] = [], environment: [String: String] = [:]
    ) throws -> DaemonProcess {
        let open = ["TOKEN_PROVIDER_CALLERS": "none"].merging(environment) { $1 }
        return try DaemonProcess(
            under: giving(descriptors), ["serve", "--credentials", key.path] + flags, environment: open,
            scratch: scratch)
    }

    @Test(arguments: ["path", "abstract"])
    func `the service manager is told of the start, of life, of a reload and of the end`(kind: String) throws {
        let name = kind == "path" ? scratch.path("notify") : "@token-provider-\(UUID().uuidString)"
        let facts = try PythonClients.run(
            "service_states.py", [Program.daemon, key.path, scratch.folder.path, name])
        let serving = "Serving: 0 connections open, 0 tokens signed, 0 kept"
        #expect(facts["ready"] as? String == serving)
        #expect(facts["lives"] as? [String] == [serving, serving, serving])
        #expect(facts["reloaded"] as? String == serving)
        #expect(
            facts["refused"] as? String
                == "\(serving); not reloaded: \(key.path): cannot be opened: No such file or directory")
        #expect(facts["stopping"] as? String == "Draining")
        #expect(facts["status"] as? Int == 0)
    }

    @Test func `a socket that was handed over takes the place of the addresses, and what told of it is gone`() throws {
        let socket = scratch.path("apps.sock")
        let daemon = try daemon(
            inheriting: ["http=127.0.0.1:0", "admin=127.0.0.1:0", "http=unix:\(socket)"], ["--listen", "192.0.2.1:80"])
        #expect(daemon.said.contains("listening on unix:\(socket)\n"))
        for _ in 0..<8 { #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200) }
        #expect(try Curl("http://localhost/token?tripID=a", ["--unix-socket", socket]).status == 200)
        #expect(try Curl("\(daemon.adminURL())/readyz").status == 200)
        #expect(try daemon.end() == 0)
        // It is not the daemon's to remove.
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test func `a socket outside the file system and an IPv6 one are listened on`() throws {
        let name = "token-provider-\(UUID().uuidString)"
        let daemon = try daemon(inheriting: ["http=@\(name)", "http=[::1]:0"])
        #expect(daemon.url == "unix:@\(name)")
        #expect(try Curl("http://localhost/healthz", ["--abstract-unix-socket", name]).body == "ok\n")
        #expect(daemon.said.contains("listening on http://[::1]:"))
    }

    @Test func `https is served on a socket that was handed over for it`() throws {
        let files = try TLSFiles()
        let daemon = try daemon(inheriting: ["https=127.0.0.1:0"], ["--config", files.configuration()])
        #expect(daemon.url.hasPrefix("https://"))
        #expect(try Curl("\(daemon.url)/healthz", ["-k"]).body == "ok\n")
        #expect(daemon.said.split(separator: "\n").count == 1)
        let bare = try Program.run(
            "/usr/bin/env",
            giving(["https=127.0.0.1:0"]) + [Program.daemon, "serve", "--credentials", key.path, "--callers", "none"])
        #expect(bare.status == 78)
        #expect(bare.errors.contains("there is no certificate to serve https by; expected tls.certificates"))
    }

    @Test(arguments: [
        ("http=pipe", "LISTEN_FDS: descriptor 3 (http) is no socket; expected a listening stream socket"),
        ("http=closed", "LISTEN_FDS: descriptor 3 (http) is not open; expected a listening stream socket"),
        (
            "admin=datagram",
            "LISTEN_FDS: descriptor 3 (admin) is no listening stream socket; "
                + "expected one (ListenStream= of a socket unit, without Accept=yes)"
        ),
        (
            "https=idle",
            "LISTEN_FDS: descriptor 3 (https) is no listening stream socket; "
                + "expected one (ListenStream= of a socket unit, without Accept=yes)"
        ),
        (
            "token-provider.socket=127.0.0.1:0",
            "LISTEN_FDNAMES: \"token-provider.socket\" is no listener; expected one of http, https, admin "
                + "(FileDescriptorName= of the socket unit)"
        ),
    ])
    func `a descriptor that cannot be listened on is one sentence`(given: String, sentence: String) throws {
        let outcome = try Program.run(
            "/usr/bin/env", giving([given]) + [Program.daemon, "serve", "--credentials", key.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "token-provider: \(sentence)\n")
    }

    @Test func `sockets of another process are left alone, and whom to tell must be a socket's name`() throws {
        let daemon = try DaemonProcess(
            scratch: scratch, key: key, environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x"])
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
        let outcome = try Program.run(
            Program.daemon, ["serve", "--credentials", key.path], environment: ["NOTIFY_SOCKET": "nowhere"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "token-provider: NOTIFY_SOCKET: \"nowhere\" is neither a path nor @ and a name: Invalid argument\n")
    }

    @Test func `restarts behind a socket that stays refuse and lose nobody`() throws {
        let facts = try PythonClients.run(
            "socket_restart.py", [Program.daemon, key.path, scratch.folder.path, "24", "6"])
        #expect(facts["refused"] as? Int == 0)
        #expect(facts["lost"] as? Int == 0)
        #expect(facts["answered_otherwise"] as? Int == 0)
        #expect(try #require(facts["answered"] as? Int) >= 3500)
    }

    @Test func `no memory of a daemon goes to a file or a debugger, and it can get no more rights`() throws {
        let daemon = try DaemonProcess(scratch: scratch, key: key)
        let place = "/proc/\(daemon.process.identifier)/"
        let limits = try String(contentsOfFile: "\(place)limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 /#))
        let status = try String(contentsOfFile: "\(place)status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1\n"))
        // What is root's although the process may be another user's is not dumpable (proc(5)).
        #expect(try FileManager.default.attributesOfItem(atPath: "\(place)environ")[.ownerAccountID] as? Int == 0)
        #expect(try daemon.end(by: SIGABRT) == -SIGABRT)
    }

    @Test(arguments: ["text", "json"])
    func `a line begins with its priority where the journal reads it, and only there`(format: String) throws {
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
        #expect(lines.filter { $0.contains("request") && $0.contains("200") }.allSatisfy { $0.hasPrefix("<6>") })
        #expect(lines.filter { $0.contains("drain") || $0.contains("stopped") }.allSatisfy { $0.hasPrefix("<5>") })
        #expect(lines.count >= 3)
        let other = try DaemonProcess(
            scratch: scratch, key: key, flags: flags, environment: ["JOURNAL_STREAM": "1:1"])
        #expect(try other.end() == 0)
        #expect(try !other.log().contains("<5>"))
    }

    @Test func `what keeps a daemon from starting is an error in the journal`() throws {
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
                == "<3>token-provider: /nowhere: cannot be opened: No such file or directory\n")
    }
}
