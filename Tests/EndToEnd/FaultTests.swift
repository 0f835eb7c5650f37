import TestSupport
import Foundation
import Testing

/// Faults in operation: slow peers, vanishing peers, too many peers, and signals under load.
@Suite(.blocking) struct FaultTests {
    let scratch: Scratch
    let key: ServiceAccountFile

    init() throws {
        scratch = try Scratch()
        key = try ServiceAccountFile(in: scratch)
    }

    private func daemon(_ settings: [String: String] = [:], _ flags: [String] = []) throws -> DaemonProcess {
        try DaemonProcess(scratch: scratch, key: key, flags: ["--log-level", "notice"] + flags, environment: settings)
    }

    @Test func `slow, silent and unreading clients do not delay a fast one`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_HTTP_HEADER_TIMEOUT": "1s", "TOKEN_PROVIDER_HTTP_WRITE_TIMEOUT": "1s"])
        try PythonClients.run("slow_clients.py", ["127.0.0.1", daemon.port])
    }

    @Test func `answers taken byte by byte end by the write timeout`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_HTTP_WRITE_TIMEOUT": "2s"])
        // Each byte comes within the time, the whole does not.
        try PythonClients.run("slow_reader.py", [daemon.port, "2", "0.1", "0.5", "1"])
        #expect(try daemon.end() == 0)
    }

    @Test func `a daemon out of descriptors idles and recovers once some are free`() throws {
        let daemon = try DaemonProcess(
            limitingDescriptors: 40,
            ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path, "--log-level", "notice"], scratch: scratch)
        try PythonClients.run(
            "exhaust_descriptors.py", ["127.0.0.1", daemon.port, "60", "\(daemon.process.identifier)"])
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: ["keepalive", "queued"])
    func `SIGTERM under load loses no answer and exits with 0`(mode: String) throws {
        let daemon = try daemon()
        let facts = try PythonClients.run(
            "load_during_drain.py",
            [
                "127.0.0.1", daemon.port, mode == "queued" ? "100" : "32", "--terminate",
                String(daemon.process.identifier), "--mode", mode,
            ])
        #expect(facts["lost"] as? Int == 0)
        #expect(try #require(facts["answered"] as? Int) >= 100)
        #expect(try daemon.process.wait() == 0)
    }

    @Test func `a second signal ends the daemon at once`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_HTTP_DRAIN_TIMEOUT": "10m"])
        // A partial request keeps the drain from ending by itself.
        let held = try PythonClients.start("hold_connection.py", ["127.0.0.1", daemon.port])
        defer { held.terminate() }
        daemon.process.send(SIGTERM)
        try daemon.waitForLog("draining")
        #expect(daemon.process.isRunning)
        #expect(try daemon.end(by: SIGINT) == 1)
    }

    @Test func `SIGQUIT drains, and SIGUSR1 and SIGUSR2 change nothing`() throws {
        let daemon = try daemon()
        for number in [SIGUSR1, SIGUSR2] {
            daemon.process.send(number)
            #expect(try Curl("\(daemon.url)/token?tripID=a").status == 200)
        }
        #expect(try daemon.end(by: SIGQUIT) == 0)
        #expect(try daemon.log().contains("draining"))
    }

    @Test func `after kill -9 the same command serves the same port again`() throws {
        let first = try daemon()
        let port = first.port
        try first.end(by: SIGKILL)
        let second = try DaemonProcess(
            ["serve", "--listen", "127.0.0.1:\(port)", "--credentials", key.path], scratch: scratch)
        #expect(try Curl("\(second.url)/token?tripID=a").status == 200)
    }

    @Test func `a second daemon on the same port is refused`() throws {
        let first = try daemon()
        let outcome = try Program.run(
            Program.daemon, ["serve", "--listen", "127.0.0.1:\(first.port)", "--credentials", key.path])
        #expect(outcome.status == 1)
        #expect(outcome.sentences == ["\(Program.inUse("127.0.0.1:\(first.port)"))"])
        #expect(try Curl("\(first.url)/healthz").body == "ok\n")
    }

    @Test func `the daemon continues when the reader of its log goes away`() throws {
        let daemon = try DaemonProcess(
            unreadLog: ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path], scratch: scratch)
        daemon.closeUnreadLog()
        for number in 1...50 { #expect(try Curl("\(daemon.url)/token?tripID=\(number)").status == 200) }
        #expect(try daemon.end() == 0)
    }

    @Test(arguments: ["2>&-", "<&- 2>&-", "2>/dev/full"])
    func `without standard error, no log line ends up in an answer`(
        redirection: String
    ) throws {
        let daemon = try DaemonProcess(
            redirecting: redirection, ["serve", "--listen", "127.0.0.1:0", "--credentials", key.path],
            scratch: scratch)
        try PythonClients.run("many_requests.py", ["127.0.0.1", daemon.port, "5000"])
        #expect(try daemon.end() == 0)
    }

    @Test func `a health check is answered at the connection limit`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_HTTP_MAX_CONNECTIONS": "1"])
        let held = try PythonClients.start("hold_connection.py", ["127.0.0.1", daemon.port])
        defer { held.terminate() }
        #expect(try Curl("\(daemon.url)/healthz").body == "ok\n")
        let refused = try Curl("\(daemon.url)/token?tripID=a")
        #expect(refused.status == 503)
        #expect(refused.fields["retry-after"] == "5")
        #expect(try refused.json()["code"] as? String == "too_many_connections")
    }

    @Test func `near the connection limit no connection of one address is reset`() throws {
        let daemon = try daemon(["TOKEN_PROVIDER_HTTP_MAX_CONNECTIONS": "64"])
        try PythonClients.run("near_limit.py", ["127.0.0.1", daemon.port, "100"])
        #expect(try daemon.end() == 0)
    }

    @Test func `an address in use by another process is one error`() throws {
        let holder = try PythonClients.start("hold_port.py", [])
        defer { holder.terminate() }
        let port = try #require(holder.firstLine)
        let outcome = try Program.run(
            Program.daemon, ["serve", "--listen", "127.0.0.1:\(port)", "--credentials", key.path])
        #expect(outcome.status == 1)
        #expect(outcome.sentences == ["\(Program.inUse("127.0.0.1:\(port)"))"])
    }
}
